import type { ColumnType } from 'kysely';
import type { Timestamp } from '../../../database/column-types.ts';

/** A user group with a role, and its members when Slack was last asked. */
type UserGroupTable = {
  team_id: string;
  group_id: string;
  /** Slack user ids, parsed by `members`. */
  members: ColumnType<unknown, string | undefined, string>;
  /** Null until Slack has answered once. */
  read_at: Timestamp | null;
  /** The process that is asking Slack; null with a `lease_until` if nobody should ask before that. */
  lease_holder: string | null;
  lease_until: Timestamp | null;
};

/** An approver who is away, and who decides for them. Slack user ids. */
type StandInTable = {
  team_id: string;
  approver: string;
  stand_in: string;
  /** From then on the row has no effect. */
  ends_at: Timestamp;
};

export type AccessTables = { user_group: UserGroupTable; stand_in: StandInTable };
