export { joinReplicas, type Replicas } from './join-replicas.ts';
export { listReplicas, type Replica } from './list-replicas.ts';
export { heartbeatMs } from './timings.ts';
