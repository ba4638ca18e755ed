/** The options of all parts. Undefined means the default of the part. */
export type InstallationsOptions = {
  serverUrl: string;
  seed: number;
  logLevel: string;
  /** Steps of `isolation`. */
  steps: number | undefined;
  /** Workspaces of `rotation`. */
  workspaces: number | undefined;
  /** Kills of `rotation`. */
  kills: number;
  /** Random moments of `uninstall`. */
  moments: number | undefined;
};

export type Outcome = { violations: string[]; figures: Record<string, unknown> };
