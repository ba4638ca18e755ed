/** An app is installed in one workspace, or in a whole organization. */
export type InstallTarget =
  | { kind: 'workspace'; teamId: string }
  | { kind: 'organization'; enterpriseId: string };

/** The id of the workspace or organization, `T…` or `E…`. */
export const targetId = (target: InstallTarget): string =>
  target.kind === 'workspace' ? target.teamId : target.enterpriseId;

/** A group of workspaces, in which an app can be installed as a whole. */
export type Organization = {
  enterpriseId: string;
  name: string;
  teamIds: string[];
  /** The bot user of an app that is installed in the whole organization. */
  botUserId: string;
  botId: string;
};

/** One installation of the app. Its tokens are in tokens.ts. */
export type Installation = {
  target: InstallTarget;
  /** The workspaces that its tokens give access to. */
  teamIds: readonly string[];
  botUserId: string;
  botId: string;
  scopes: () => readonly string[];
  installerId: string;
  /** How long its tokens live before they must be refreshed; undefined if they don't expire. */
  tokenLifeSeconds: number | undefined;
};

/** The events about an installation. */
export type LifecycleEvent =
  | { type: 'app_uninstalled' }
  | { type: 'tokens_revoked'; tokens: { oauth: string[]; bot: string[] } };
