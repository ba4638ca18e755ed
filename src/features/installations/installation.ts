/** Where Belay is installed: in a workspace, or in an organization with all its workspaces. */
export type Place =
  | { teamId: string; enterpriseId: string | undefined; isOrganization: false }
  | { teamId: undefined; enterpriseId: string; isOrganization: true };

/** What Slack grants to an app for a code. */
export type Grant = {
  place: Place;
  appId: string;
  botUserId: string;
  scopes: string[];
  botToken: string;
  /** Given, with the expiry, if Slack rotates the app's tokens. */
  refreshToken: string | undefined;
  expiresAt: Date | undefined;
  /** Slack user id. */
  installedBy: string;
};
