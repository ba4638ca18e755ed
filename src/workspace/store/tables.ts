import type { ColumnType, Generated } from 'kysely';
import type { Json, Timestamp } from '../../database/column-types.ts';

export type ConnectionTable = {
  id: string;
  team_id: string;
  /** Unique among the team's connections in use, ignoring case. */
  name: Generated<string>;
  /** One of the team's connections in use. */
  is_default: Generated<boolean>;
  /** The same for a connection and all that it replaced. */
  origin_id: Generated<string>;
  region_id: string;
  organizational_unit_id: string | null;
  /** AES-256-GCM, bound to team and row; see token-cipher.ts. Wiped when the row is replaced. */
  token_sealed: string | null;
  /** Email address or id of the user who owns the token. Wiped when the row is replaced. */
  token_owner: string | null;
  /** What the token saw of its tenant when it was saved: `tenantMarks`. Wiped with the token. */
  tenant: Json<unknown> | null;
  /** When the token expires; null if it names no time. */
  token_expires_at: Timestamp | null;
  /** How many days ahead the last warning of this token's expiry was sent; 0 once it has expired. */
  expiry_warned_days: number | null;
  saved_by: string;
  saved_at: Timestamp;
  /** Null for a connection in use. */
  replaced_at: Timestamp | null;
};

/** The channels that use another connection than the default. */
type ChannelConnectionTable = {
  team_id: string;
  channel_id: string;
  origin_id: string;
  pinned_by: string;
};

export type WorkspaceSettingsTable = {
  team_id: string;
  /** Parsed by `workspaceSettings`: what is missing has its default. */
  settings: ColumnType<unknown, string | undefined, string>;
  /** The view whose submission last wrote this row: the same view writes once. Null before setup. */
  saved_from_view_id: string | null;
  /** Number of saves. */
  revision: Generated<number>;
  /** See `Finishing`. */
  finishing_by: string | null;
  finishing_until: Timestamp | null;
};

/** A change of the setup that needs more than the click that saves it. */
export type SetupChangeTable = {
  id: string;
  team_id: string;
  /** Old and new values, parsed by `setupChange`; never the token. */
  change: Json<unknown>;
  /** Sealed for the connection that the change makes. Wiped when the change is saved. */
  token_sealed: string | null;
  /** What that token sees of its tenant: `tenantMarks`. */
  tenant: Json<unknown> | null;
  /** The admin whose form it was; null for a change by the operator, as `saved_by`. */
  created_by: string | null;
  created_at: Timestamp;
  /** Null while it waits. */
  saved_at: Timestamp | null;
  saved_by: string | null;
  approved_by: string | null;
  /** When to try to announce it next; null before it is saved and once it was announced. */
  announce_at: Timestamp | null;
};

/** A page on which an admin enters a token once, instead of in Slack, and the token until it is saved. */
type TokenPageTable = {
  id: string;
  team_id: string;
  /** The form that the token is for. */
  form_id: string;
  /** SHA-256 of the secret in the page's address. */
  secret_hash: string;
  created_by: string;
  /** What the page says it is for: `pageFacts`. */
  shown: Json<unknown>;
  /** Of the page; of the token once it was entered. */
  expires_at: Timestamp;
  used_at: Timestamp | null;
  token_sealed: string | null;
};

export type WorkspaceTables = {
  channel_connection: ChannelConnectionTable;
  connection: ConnectionTable;
  setup_change: SetupChangeTable;
  token_page: TokenPageTable;
  workspace_settings: WorkspaceSettingsTable;
};
