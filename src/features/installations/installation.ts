/** What Slack grants to an app for a code, in one workspace. */
export type Grant = {
  teamId: string;
  /** Undefined for a workspace outside of any organization. */
  enterpriseId: string | undefined;
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
