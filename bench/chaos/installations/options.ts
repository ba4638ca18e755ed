/** The options of all parts. */
export type InstallationsOptions = {
  serverUrl: string;
  seed: number;
  logLevel: string;
  /** Steps of `isolation`. */
  steps: number;
  /** Workspaces of `rotation`. */
  workspaces: number;
  /** Kills of `rotation`. */
  kills: number;
  /** Random moments of `uninstall`. */
  moments: number;
};

export type Outcome = { violations: string[]; figures: Record<string, unknown> };
