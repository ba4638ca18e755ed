export { joinReplicas, type Replicas } from './join-replicas.ts';
export { listReplicas, type Replica } from './list-replicas.ts';
export { purgeTeamLeases, whileTeamLeased } from './team-lease.ts';
export { heartbeatMs } from './timings.ts';
