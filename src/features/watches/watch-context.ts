import type { Clock } from '../../clock.ts';
import type { OriginRef } from '../../database/connection-origin.ts';
import type { AlertContext } from '../alerts/index.ts';
import type { ListKnownPolicies } from '../compliance/index.ts';
import type { ComplianceWatchStore } from './store/compliance-watch-store.ts';
import type { MuteStore } from './store/mute-store.ts';
import type { PolicyWatchStore } from './store/policy-watch-store.ts';
import type { WatchStore } from './store/watch-store.ts';
import type { Outage } from './watch.ts';

/** Dependencies of `/belay watch` and `/belay mute`. */
export type WatchContext = {
  alerts: AlertContext;
  store: WatchStore;
  complianceWatches: ComplianceWatchStore;
  policyWatches: PolicyWatchStore;
  mutes: MuteStore;
  listKnownPolicies: ListKnownPolicies;
  /** How often the policies of a connection are read. */
  policyIntervalMs: number;
  /** Since when and why the policies of a connection can't be read: known to another feature. */
  readPolicyOutage: (of: OriginRef) => Promise<Outage | undefined>;
  clock: Clock;
};
