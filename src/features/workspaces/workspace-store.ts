/** Where a Slack workspace's service tenant is. A change of region, token or unit makes a new one. */
export type ConnectionSummary = {
  id: string;
  regionId: string;
  organizationalUnitId: string | undefined;
  /** E-mail address or id of the service's user whose token it is, as the admin told it. */
  tokenOwner: string | undefined;
};

export type Connection = ConnectionSummary & { token: string };

/** What makes a connection another one: its owner may be told later. */
export type NewConnection = Omit<Connection, 'tokenOwner'>;

export type WorkspaceSettings = {
  approvalsChannelId: string | undefined;
  /** Slack user ids; empty means that the workspace's admins decide. */
  approvers: string[];
  /** How long a user who is to be deleted can still be kept; 0 deletes at once. */
  deleteGraceMinutes: number;
  /** How many users may be disabled or deleted within any hour. */
  usersPerHour: number;
};

export type Setup = {
  teamId: string;
  enterpriseId: string | undefined;
  /** Given when region, token or unit changed: it takes the place of the connection so far. */
  connection: NewConnection | undefined;
  /** Kept with the connection, new or not. */
  tokenOwner: string | undefined;
  settings: WorkspaceSettings;
  savedBy: string;
  /** The view whose submission saves: the same view saves once. */
  viewId: string;
  /**
   * The revision that filled the form. A form opened before migration 009 has the id of the view
   * that had saved last ('' for none), older ones nothing.
   */
  basedOn: number | string | undefined;
  at: Date;
};

export type SavedSetup = {
  /** What waited for approval on the connection that was replaced. */
  voided: { teamId: string; id: string }[];
  /** Given when others decide from now on. */
  approversChange: { before: string[]; after: string[] } | undefined;
  approvalsChannelBefore: string | undefined;
};

export type SaveResult =
  | ({ result: 'saved' } & SavedSetup)
  /** This view has saved before. */
  | { result: 'saved-before' }
  /** Somebody else has saved since the form was filled: it would undo what they did. */
  | { result: 'changed-meanwhile' };

export type WorkspaceStore = {
  describeConnection: (teamId: string) => Promise<ConnectionSummary | undefined>;
  /** With the token opened; `unreadable` when none of the configured keys opens it. */
  openConnection: (teamId: string) => Promise<Connection | 'unreadable' | undefined>;
  readSettings: (teamId: string) => Promise<WorkspaceSettings>;
  /** How often the setup was saved: a form carries it, so that a save in between is noticed. */
  readRevision: (teamId: string) => Promise<number>;
  /**
   * Saves all of it or nothing, and what has changed goes into the decision log. A new connection
   * voids what waits for approval on the old one.
   */
  saveSetup: (setup: Setup) => Promise<SaveResult>;
};
