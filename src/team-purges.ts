import type { AppendEntry } from './audit-log/append.ts';
import { createPurgeTexts } from './audit-log/erase-personal-text.ts';
import { purgeAlerts, purgeClearings } from './features/alerts/index.ts';
import { purgeCompliance } from './features/compliance/store/compliance-samples.ts';
import { purgeDigests } from './features/digests/store/digest-kind.ts';
import { purgeDrills } from './features/drills/store/drill-kind.ts';
import type { UninstallHandlers } from './features/installations/index.ts';
import { purgePolicies } from './features/policies/store/policy-catalog.ts';
import { purgeObservations } from './features/policy-watches/store/observation-store.ts';
import { purgeWatches } from './features/watches/store/watch-kinds.ts';
import { purgeHomes } from './postings/home/store/home-store.ts';
import { purgeOutbox } from './postings/outbox/store/outbox-store.ts';
import { purgeTeamLeases } from './replicas/team-lease.ts';
import { createPurgeRequests, createStopRequests } from './requests/store/purge-requests.ts';
import { purgeGroups } from './workspace/access/store/group-store.ts';
import { purgeStandIns } from './workspace/access/store/stand-in-store.ts';
import { disconnect, purgeWorkspace } from './workspace/store/purge-workspace.ts';

/** What every feature does when a workspace uninstalls Belay. */
export function createUninstallHandlers(append: AppendEntry): UninstallHandlers {
  return {
    append,
    // The connection first: a request that is being created locks it until it commits.
    stop: [disconnect, createStopRequests(append)],
    purge: [
      ...[createPurgeRequests(append), purgeOutbox, purgeAlerts, purgeWatches],
      ...[purgeClearings, purgeDigests, purgeDrills],
      ...[purgeObservations, purgeCompliance, purgePolicies, purgeGroups],
      ...[purgeHomes, purgeStandIns, purgeTeamLeases],
      // After everything that refers to a connection, and after the entries about requests.
      ...[purgeWorkspace, createPurgeTexts(append)],
    ],
  };
}
