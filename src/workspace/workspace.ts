import { z } from 'zod';
import type { Operator } from '../audit-log/entry.ts';
import type { ServiceConnection } from '../dataprotection/connection.ts';
import type { Region } from '../dataprotection/region.ts';
import type { TenantMarks } from '../dataprotection/tenant.ts';
import type { Person } from '../slack/api/person.ts';
import type { WorkspaceSettings } from './settings/document.ts';

/**
 * One service tenant of a Slack workspace. A change of region or unit makes a new connection, and so
 * does a new token unless it sees the same tenant.
 */
export type ConnectionSummary = {
  id: string;
  /** The same for a connection and all that it replaced. */
  originId: string;
  name: string;
  isDefault: boolean;
  regionId: string;
  organizationalUnitId: string | undefined;
  /** Email address or id of the user in the service who owns the token, as the admin entered it. */
  tokenOwner: string | undefined;
};

/**
 * `isOnly` if the workspace has no other connection. `tenant`: what the token saw when it was saved.
 */
export type Connection = ConnectionSummary & {
  token: string;
  isOnly: boolean;
  tenant?: TenantMarks | undefined;
};

/**
 * What makes a new connection if it changes. With the id of the connection in use, only that
 * connection's token is replaced.
 */
export type NewConnection = Pick<
  Connection,
  'id' | 'regionId' | 'organizationalUnitId' | 'token' | 'tenant'
>;

/** `unreadable` if none of the configured keys opens its token. */
export type OpenedConnection = Connection | 'unreadable' | undefined;

/** Which connection of a workspace: the default one unless an id names another. */
export type ConnectionRef =
  | { originId?: string | undefined; connectionId?: undefined }
  /** Nothing once it was replaced. */
  | { connectionId: string; originId?: undefined };

/** Which connection a setup change is about, and how it changes. */
export const connectionTarget = z.object({
  kind: z.enum(['add', 'edit', 'remove', 'make_default']),
  /** Of a connection that is added, the id that it will have. */
  originId: z.uuid(),
  name: z.string(),
  /** The old name, if another was given; with `make-default`, the connection that was the default. */
  nameBefore: z.string().optional(),
});
export type ConnectionTarget = z.infer<typeof connectionTarget>;

/** A setup form that was submitted and checked. */
export type Setup = {
  teamId: string;
  /** Undefined for the default connection. */
  target?: ConnectionTarget | undefined;
  /** Given if region, token or unit changed: it replaces the connection in use, or its token. */
  connection: NewConnection | undefined;
  /** Saved with the connection, new or not. */
  tokenOwner: string | undefined;
  settings: WorkspaceSettings;
  savedBy: string;
  /** If the operator saves it from the command line. */
  operator?: Operator | undefined;
  /** The request that was approved, if it took one. */
  approvalId?: string | undefined;
  /** The view that was submitted, or the change: the same one saves once. */
  viewId: string;
  /**
   * The revision that filled the form. An outdated form is rejected as a whole: saving it would restore
   * old approvers and limits. Undefined for what no form filled.
   */
  basedOn: number | undefined;
  at: Date;
};

export type SavedSetup = {
  /** The requests that are void now: those on a replaced connection, and waiting changes of the setup. */
  voided: { teamId: string; id: string }[];
};

/**
 * Who has connected the workspace, and until when they may choose the other settings without a second
 * person: nobody relies on the defaults yet. It ends when somebody else saves or approvers are named.
 */
export type Finishing = { by: string; until: Date };

/** A workspace's setup as it is now, read at one moment. */
export type CurrentSetup = {
  /** How often the setup was saved. A form carries it, so that a save in between is noticed. */
  revision: number;
  /** The view that saved it last. */
  savedFromViewId: string | undefined;
  settings: WorkspaceSettings;
  finishing: Finishing | undefined;
  /** The default one. */
  connection: ConnectionSummary | undefined;
  /** Those in use: the default one, then the others by name. */
  connections: ConnectionSummary[];
};

/** Whether the person may change what no request depends on without a second person. */
export function mayFinish(
  { finishing }: CurrentSetup,
  { slackUserId }: Pick<Person, 'slackUserId'>,
  now: Date,
): boolean {
  return finishing !== undefined && finishing.by === slackUserId && finishing.until > now;
}

export type SaveResult =
  | ({ result: 'saved' } & SavedSetup)
  /** This view has saved before. */
  | { result: 'saved-before' }
  /** Somebody has saved since the form was filled; saving it would undo that. */
  | { result: 'changed-meanwhile' };

/** `by` is the Slack user id of the admin who removed it. */
export type RemovedConnection = {
  teamId: string;
  originId: string;
  name: string;
  /** The channels that used it, and who chose that: Slack ids. */
  unpinned: { channelId: string; pinnedBy: string }[];
  by: string;
  at: Date;
};

/** The connection to the service in a region, with a workspace's token. */
export function serviceConnection(
  { baseUrl, dialect, requestsPerSecond }: Region,
  { token, organizationalUnitId }: Pick<Connection, 'token' | 'organizationalUnitId'>,
): ServiceConnection {
  return { baseUrl, dialect, requestsPerSecond, token, organizationalUnitId };
}
