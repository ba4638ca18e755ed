import { runRotation } from './rotation.ts';

/** What each part gets; undefined means the part's own default. */
export type InstallationsOptions = {
  serverUrl: string;
  seed: number;
  logLevel: string;
  /** Of `rotation`. */
  workspaces: number | undefined;
  kills: number;
};
type Part = (
  options: InstallationsOptions,
) => Promise<{ violations: string[]; figures: Record<string, unknown> }>;

const parts: Record<string, Part> = { rotation: runRotation };

/**
 * Many workspaces in one Belay: runs the part that is named, or all, and prints one line of figures
 * for each.
 */
export async function chaosInstallations({
  part,
  ...options
}: InstallationsOptions & { part: string | undefined }): Promise<{ violations: string[] }> {
  const names = part === undefined ? Object.keys(parts) : [part];
  const violations: string[] = [];
  for (const name of names) {
    const run = parts[name];
    if (!run) throw new Error(`Unknown part ${name}. Use ${Object.keys(parts).join(', ')}.`);
    const outcome = await run(options);
    const line = { part: name, seed: options.seed, ...outcome.figures };
    process.stdout.write(`${JSON.stringify({ ...line, violations: outcome.violations })}\n`);
    violations.push(...outcome.violations.map((violation) => `${name}: ${violation}`));
  }
  return { violations };
}
