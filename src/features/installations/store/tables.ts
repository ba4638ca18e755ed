import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from '../../../database/column-types.ts';

export type InstallationTable = {
  id: string;
  /** The workspace; the id of the organization (`E…`) for an installation in all of it. */
  team_id: string;
  /** Null for a workspace outside of any organization. */
  enterprise_id: string | null;
  app_id: string;
  /** Sealed for workspace and organization; see token-cipher.ts. Null once it is of no use. */
  bot_token_sealed: string | null;
  /** Null unless Slack rotates the tokens of the app; then the bot token expires. */
  refresh_token_sealed: string | null;
  token_expires_at: Timestamp | null;
  /** Counts changes of the tokens. */
  version: Generated<number>;
  /** Only an active one has a token that is used. The data of one that is uninstalling is deleted. */
  state: 'active' | 'reinstall_needed' | 'uninstalling';
  /** Slack user id. */
  installed_by: string;
  installed_at: Timestamp;
  /** Who refreshes the tokens, or reports a refusal, at this moment. */
  lease_holder: string | null;
  lease_until: Timestamp | null;
  /** Exchanges of the current refresh token that Slack may have received. */
  refresh_attempts: Generated<number>;
  /** No attempt before this. */
  refresh_after: Timestamp | null;
  /** Slack's reason for refusing the refresh token; with the state `reinstall_needed`. */
  refused_code: string | null;
  refused_at: Timestamp | null;
  /** When the installer was notified, or Belay gave up because the bot token no longer works. */
  reported_at: Timestamp | null;
  /** When Slack is next asked whether the token works, or when the next data is deleted. */
  check_at: ColumnType<Date, Date | undefined, Date>;
  /** Since when Slack has refused the bot token for good, without having reported an uninstall. */
  token_refused_since: Timestamp | null;
  /** When the app was uninstalled, as Slack reported it. */
  uninstall_reported_at: Timestamp | null;
  /** When Belay found out. */
  uninstalled_at: Timestamp | null;
};

/** A workspace that uses an organization's installation, as Slack lists them, or used it before. */
type OrganizationWorkspaceTable = {
  team_id: string;
  enterprise_id: string;
  /** Since when Slack has not listed it. Its data stays until the organization uninstalls Belay. */
  removed_at: Timestamp | null;
};

export type InstallationTables = {
  installation: InstallationTable;
  organization_workspace: OrganizationWorkspaceTable;
};
