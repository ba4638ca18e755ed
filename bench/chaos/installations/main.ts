import { runIsolation } from './isolation.ts';
import type { InstallationsOptions, Outcome } from './options.ts';
import { runRotation } from './rotation.ts';
import { runUninstall } from './uninstall.ts';

export const parts: Record<string, (options: InstallationsOptions) => Promise<Outcome>> = {
  isolation: runIsolation,
  rotation: runRotation,
  uninstall: runUninstall,
};

/** Many workspaces in one Belay. Runs one part, or all of them, and prints a line of figures for each. */
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
