import { runIsolation } from './isolation.ts';
import { runRotation } from './rotation.ts';
import { runUninstall } from './uninstall.ts';

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
type Part = (
  options: InstallationsOptions,
) => Promise<{ violations: string[]; figures: Record<string, unknown> }>;

const parts: Record<string, Part> = {
  isolation: runIsolation,
  rotation: runRotation,
  uninstall: runUninstall,
};

/**
 * Many workspaces in one Belay: runs the part that is named, or all, and prints one line of figures
 * for each.
 */
export async function chaosInstallations(
  options: InstallationsOptions & { part: string | undefined },
): Promise<{ violations: string[] }> {
  const { part, ...rest } = options;
  const names = part === undefined ? Object.keys(parts) : [part];
  const violations: string[] = [];
  for (const name of names) {
    const run = parts[name];
    if (!run) throw new Error(`Unknown part ${name}. Use ${Object.keys(parts).join(', ')}.`);
    const outcome = await run(rest);
    process.stdout.write(
      `${JSON.stringify({ part: name, seed: rest.seed, ...outcome.figures, violations: outcome.violations })}\n`,
    );
    violations.push(...outcome.violations.map((violation) => `${name}: ${violation}`));
  }
  return { violations };
}
