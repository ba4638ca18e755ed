import type { Migration } from 'kysely/migration';
import { connectionsAndApprovals } from './001-to-014/001-connections-and-approvals.ts';
import { decisionsOnceAndProven } from './001-to-014/002-decisions-once-and-proven.ts';
import { delivery } from './001-to-014/003-delivery.ts';
import { watches } from './001-to-014/004-watches.ts';
import { digests } from './001-to-014/005-digests.ts';
import { pauses } from './001-to-014/006-pauses.ts';
import { failedEdits } from './001-to-014/007-failed-edits.ts';
import { standardNames } from './001-to-014/008-standard-names.ts';
import { quietHoursAndSetupRevision } from './001-to-014/009-quiet-hours-and-setup-revision.ts';
import { alertValues } from './001-to-014/010-alert-values.ts';
import { sentChanges } from './001-to-014/011-sent-changes.ts';
import { setupChanges } from './001-to-014/012-setup-changes.ts';
import { checkpointStatus } from './001-to-014/013-checkpoint-status.ts';
import { followersAndRefusals } from './001-to-014/014-followers-and-refusals.ts';
import { replicas } from './017-to-028/017-replicas.ts';
import { traces } from './017-to-028/019-traces.ts';
import { requestsBySubject } from './017-to-028/020-requests-by-subject.ts';
import { digestFilters } from './017-to-028/021-digest-filters.ts';
import { severalApprovers } from './017-to-028/022-several-approvers.ts';
import { policyCatalog } from './017-to-028/023-policy-catalog.ts';
import { policyDrafts } from './017-to-028/025-policy-drafts.ts';
import { complianceHistory } from './017-to-028/026-compliance-history.ts';
import { policyWatches } from './017-to-028/027-policy-watches.ts';
import { policyChanges } from './017-to-028/028-policy-changes.ts';
import { installations } from './030-to-040/030-installations.ts';
import { attemptedMessages } from './030-to-040/032-attempted-messages.ts';
import { storedAuditKeys } from './030-to-040/033-stored-audit-keys.ts';
import { tokenRefreshes } from './030-to-040/034-token-refreshes.ts';
import { severalConnections } from './030-to-040/035-several-connections.ts';
import { uninstalls } from './030-to-040/036-uninstalls.ts';
import { connectionsOfWatches } from './030-to-040/037-connections-of-watches.ts';
import { tokenReplacement } from './030-to-040/038-token-replacement.ts';
import { organizations } from './030-to-040/039-organizations.ts';
import { removedWorkspaces } from './030-to-040/040-removed-workspaces.ts';
import { access } from './041-access.ts';
import { homeTabs } from './042-home-tabs.ts';
import { approverCopies } from './043-approver-copies.ts';
import { userGroups } from './044-user-groups.ts';
import { rulesOfRequests } from './045-rules-of-requests.ts';
import { bulkRequests } from './046-bulk-requests.ts';
import { breakGlass } from './048-break-glass.ts';
import { standIns } from './049-stand-ins.ts';
import { schemaCompatibility } from './050-schema-compatibility.ts';
import { lookupIndexes } from './051-indexes.ts';
import { autovacuum } from './052-autovacuum.ts';
import { backgroundWork } from './053-background-work.ts';

/**
 * In order, never edited once released. SQL of PostgreSQL 15, which both stores speak. From 050 on they
 * only add, because processes of the previous version keep running. Removals and changes are contract
 * migrations (`contract.ts`).
 */
export const migrations: Record<string, Migration> = {
  '001_connections_and_approvals': connectionsAndApprovals,
  '002_decisions_once_and_proven': decisionsOnceAndProven,
  '003_delivery': delivery,
  '004_watches': watches,
  '005_digests': digests,
  '006_pauses': pauses,
  '007_failed_edits': failedEdits,
  '008_standard_names': standardNames,
  '009_quiet_hours_and_setup_revision': quietHoursAndSetupRevision,
  '010_alert_values': alertValues,
  '011_sent_changes': sentChanges,
  '012_setup_changes': setupChanges,
  '013_checkpoint_status': checkpointStatus,
  '014_followers_and_refusals': followersAndRefusals,
  '017_replicas': replicas,
  '019_traces': traces,
  '020_requests_by_subject': requestsBySubject,
  '021_digest_filters': digestFilters,
  '022_several_approvers': severalApprovers,
  '023_policy_catalog': policyCatalog,
  '025_policy_drafts': policyDrafts,
  '026_compliance_history': complianceHistory,
  '027_policy_watches': policyWatches,
  '028_policy_changes': policyChanges,
  '030_installations': installations,
  '032_attempted_messages': attemptedMessages,
  '033_stored_audit_keys': storedAuditKeys,
  '034_token_refreshes': tokenRefreshes,
  '035_several_connections': severalConnections,
  '036_uninstalls': uninstalls,
  '037_connections_of_watches': connectionsOfWatches,
  '038_token_replacement': tokenReplacement,
  '039_organizations': organizations,
  '040_removed_workspaces': removedWorkspaces,
  '041_access': access,
  '042_home_tabs': homeTabs,
  '043_approver_copies': approverCopies,
  '044_user_groups': userGroups,
  '045_rules_of_requests': rulesOfRequests,
  '046_bulk_requests': bulkRequests,
  '048_break_glass': breakGlass,
  '049_stand_ins': standIns,
  '050_schema_compatibility': schemaCompatibility,
  '051_indexes': lookupIndexes,
  '052_autovacuum': autovacuum,
  '053_background_work': backgroundWork,
};
