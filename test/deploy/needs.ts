import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Config, readConfig, variableNames } from '../../src/config.ts';

export const root = join(import.meta.dirname, '../..');

/** A file in deploy/. */
export function readDeployed(name: string): string {
  return readFileSync(join(root, 'deploy', name), 'utf8');
}

const packageFile = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
const { optionalDependencies } = packageFile.parse(
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
);

/** The version of Node that package.json pins. */
export const [nodeVersion] = new Set(Object.values(optionalDependencies));

/** Where Node stores compiled modules: not a variable of Belay. */
export const compileCache = 'NODE_COMPILE_CACHE';

/** When freed memory is returned to the system: a variable of the C library. */
export const trimThreshold = 'MALLOC_TRIM_THRESHOLD_';

/** The value of that variable in scripts/node.sh. */
export const [, launcherTrimThreshold] =
  /MALLOC_TRIM_THRESHOLD_:-(\d+)/.exec(readFileSync(join(root, 'scripts/node.sh'), 'utf8')) ?? [];

/** The names that neither Belay nor Node nor the C library reads. */
export function unknownNames(env: object): string[] {
  const known = new Set([...variableNames, compileCache, trimThreshold]);
  return Object.keys(env).filter((name) => !known.has(name));
}

/** Values that an operator enters. */
export const secrets = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'secret',
  BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};

/** The configuration of a process with these variables and the secrets. */
export function configOf(env: Record<string, string>): Config {
  return readConfig({ ...env, ...secrets });
}

/** Whether the path is in this folder, or the folder itself. */
export function isIn(folder: string | undefined, path: string): boolean {
  return folder !== undefined && (path === folder || path.startsWith(`${folder}/`));
}

/** The folder of the embedded database, from its address. */
export function folderOf({ databaseUrl }: Config): string {
  return databaseUrl.slice('pglite:'.length);
}
