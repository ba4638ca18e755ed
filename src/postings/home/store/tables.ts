import type { ColumnType, Generated } from 'kysely';
import type { Timestamp } from '../../../database/column-types.ts';

/** A workspace in which somebody has opened the Home tab. */
type HomeTeamTable = {
  team_id: string;
  /** Number of changes, or of batches of them, that Home tabs show. */
  version: Generated<number>;
  /** When Slack was last called for a Home tab of this workspace: milliseconds, oldest first. */
  sent: ColumnType<unknown, string | undefined, string>;
  /** Before this no Home tab is published that somebody has just opened. */
  opens_from: ColumnType<Date, Date | undefined, Date>;
  /** The same for those that are only brought up to date. */
  refreshes_from: ColumnType<Date, Date | undefined, Date>;
};

/** A person's Home tab. */
type HomeTabTable = {
  team_id: string;
  slack_user_id: string;
  /** The person's direct messages with Belay. */
  direct_channel_id: string | null;
  /** The last time. */
  opened_at: Timestamp;
  /** Since when the person waits for what they opened; null once it is published. */
  waiting_since: Timestamp | null;
  /** Not published again before this. */
  next_at: Timestamp;
  /** The workspace's version that is shown; -1 for one that is incomplete. */
  rendered_version: Generated<number>;
  /** Slack's hash of what is shown. */
  shown_hash: string | null;
  /** SHA-256 of the blocks that are shown; null if another version of Belay may have published them. */
  shown_digest: string | null;
  /** Failed ones in a row. */
  attempts: Generated<number>;
  lease_holder: string | null;
  lease_until: Timestamp | null;
};

/** A change that Home tabs of the workspace may not show yet. */
type HomeChangeTable = { id: Generated<string>; team_id: string };

export type HomeTables = {
  home_team: HomeTeamTable;
  home_tab: HomeTabTable;
  home_change: HomeChangeTable;
};
