/** What each part gets. Each takes what it needs; a value that is undefined means the part's own default. */
export type InstallationsOptions = {
  serverUrl: string;
  seed: number;
  logLevel: string;
  /** Steps of `isolation`. */
  steps: number | undefined;
  /** Workspaces of `rotation`. */
  workspaces: number | undefined;
  /** Of `rotation`. */
  kills: number;
  /** Random moments of `uninstall`. */
  moments: number | undefined;
};
