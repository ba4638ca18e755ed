/** Where an app can be installed: in one workspace, or in a whole organization. */
export type Place =
  | { kind: 'workspace'; teamId: string }
  | { kind: 'organization'; enterpriseId: string };

/** The id that names a place in payloads and tests: `T…` or `E…`. */
export const placeId = (place: Place): string =>
  place.kind === 'workspace' ? place.teamId : place.enterpriseId;

/** Workspaces of one owner, in which an app can be installed at once. */
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
  place: Place;
  /** The workspaces that its tokens give access to. */
  teamIds: readonly string[];
  botUserId: string;
  botId: string;
  scopes: () => readonly string[];
  installerId: string;
  /** Its tokens expire and are refreshed. */
  isRotating: boolean;
};

/** The events about an installation. */
export type LifecycleEvent =
  | { type: 'app_uninstalled' }
  | { type: 'tokens_revoked'; tokens: { oauth: string[]; bot: string[] } };
