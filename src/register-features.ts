import type { OriginRef } from './database/connection-origin.ts';
import { registerStandIns } from './features/access/register.ts';
import { createKnownValues, describeErrors, type ReportAlert } from './features/alerts/index.ts';
import { registerAlerts } from './features/alerts/register.ts';
import { registerAudit } from './features/audit/register.ts';
import { describeCompliance } from './features/compliance/index.ts';
import { registerCompliance } from './features/compliance/register.ts';
import { registerDesk } from './features/desk/register.ts';
import { describeDigests } from './features/digests/index.ts';
import { registerDigests } from './features/digests/register.ts';
import type { Examined, Finding } from './features/doctor/index.ts';
import { registerDoctor } from './features/doctor/register.ts';
import { registerDrills } from './features/drills/register.ts';
import { isCommandWord } from './features/help/index.ts';
import { registerHelp } from './features/help/register.ts';
import { createAlertReader } from './features/policies/index.ts';
import { registerPolicies } from './features/policies/register.ts';
import { registerPolicyChangeList } from './features/policy-watches/register.ts';
import { registerRestores } from './features/restores/register.ts';
import type { SetupContext } from './features/setup/index.ts';
import { registerSetup } from './features/setup/register.ts';
import { registerTasks } from './features/tasks/register.ts';
import { registerUsers } from './features/users/register.ts';
import { describeWatches } from './features/watches/index.ts';
import { registerWatches } from './features/watches/register.ts';
import type { Stores } from './open-stores.ts';
import { registerApprovals } from './requests/register.ts';
import type { Listeners } from './slack/interactions/listeners.ts';
import type { OpenService } from './workspace/open-service.ts';

/** Mostly what setup needs. */
type FeatureParts = Omit<SetupContext, 'store' | 'listStandIns'> & {
  openService: OpenService;
  stores: Stores;
  reportAlert: ReportAlert;
  examine: (examined: Examined) => Promise<Finding[]>;
  countMs?: number | undefined;
  policyIntervalMs: number;
};

/** Registers every feature, in the order in which `/belay help` lists them. */
export function registerFeatures(listeners: Listeners, parts: FeatureParts): void {
  const { approvals, stores, clock } = parts;
  const { workspaceStore, auditStore, pollStore, samples } = stores;
  const { policyCatalog, policyChanges, savedFilters } = stores;
  const { list: listKnownPolicies } = policyCatalog;
  const knownValues = createKnownValues();
  const alerting = {
    ...parts,
    ...stores,
    store: stores.alertStore,
    changeState: pollStore.changeState,
    showState: pollStore.showState,
    knownValues,
    isCommandWord,
    onAlertsRead: createAlertReader({ remember: policyCatalog.remember, clock }),
  };
  const watching = {
    ...parts,
    ...stores,
    alerts: alerting,
    store: stores.watchStore,
    listKnownPolicies,
    readPolicyOutage: async (of: OriginRef) => (await policyChanges.readHealth(of))?.failing,
  };
  const digesting = {
    ...parts,
    knownValues,
    savedFilters,
    listKnownPolicies,
    store: stores.digestStore,
    samples,
    policyChanges,
  };
  const { showChanges } = registerPolicyChangeList(listeners, {
    policyChanges,
    clock,
  });
  const subcommands = [
    ...registerAlerts(listeners, alerting),
    ...registerDesk(listeners, watching),
    ...registerWatches(listeners, watching),
    ...registerDigests(listeners, digesting),
    ...registerCompliance(listeners, {
      history: stores.complianceHistory,
      clock,
      listKnownPolicies,
    }),
    ...registerPolicies(listeners, {
      ...parts,
      drafts: stores.policyDrafts,
      policyCatalog,
      auditStore,
      showChanges,
      listExternalChanges: policyChanges.listExternal,
    }),
    ...registerRestores(listeners, { approvals, clock }),
    ...registerTasks({ approvals, drillRuns: stores.drillRuns }),
    ...registerDrills(listeners, { ...stores, approvals, clock }),
    ...registerUsers(listeners, approvals),
    ...registerApprovals(listeners, approvals),
    ...registerStandIns(listeners, { ...parts, store: stores.standInStore }),
    ...registerAudit(listeners, { store: auditStore, clock }),
    ...registerSetup(listeners, {
      ...parts,
      store: workspaceStore,
      listStandIns: stores.standInStore.list,
    }),
    ...registerDoctor(parts),
  ];
  registerHelp(listeners, subcommands, [
    approvals.describeOpen,
    (call) => describeErrors(call, clock()),
    (call) => describeCompliance(call, { samples, clock }),
    (call) => describeWatches(call, watching),
    (call) => describeDigests(call, digesting),
  ]);
}
