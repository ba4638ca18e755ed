import { runIsolation } from './isolation.ts';
import type { InstallationsOptions } from './options.ts';
import { runRotation } from './rotation.ts';
import { runUninstall } from './uninstall.ts';

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
