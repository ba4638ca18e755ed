import { isUtf8 } from 'node:buffer';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { TokenReference } from './configuration.ts';
import { ConfigurationError } from './parse-configuration.ts';

export type ReadToken = (reference: TokenReference) => string | undefined;

/**
 * `base` is the folder of the configuration file, which paths are relative to. `tokenDir` is the only
 * folder with token files; by default `secrets` in `base`.
 */
type TokenFolders = { base: string; tokenDir?: string | undefined };

/**
 * Reads tokens from the environment and from files. Undefined for one that isn't there.
 * @throws {ConfigurationError} for a file outside the folder with token files, and for one that isn't
 * valid UTF-8
 */
export function createTokenReader(
  env: Record<string, string | undefined>,
  folders: TokenFolders,
): ReadToken {
  return (reference) => {
    if ('file' in reference) return readTokenFile(reference.file, folders);
    // `process.env` also has `constructor`.
    return Object.hasOwn(env, reference.env) ? env[reference.env]?.trim() || undefined : undefined;
  };
}

/** What is in the file is sent to the region, so the reference must not reach any other file. */
function readTokenFile(file: string, { base, tokenDir }: TokenFolders): string | undefined {
  const named = resolve(base, file);
  if (!existsSync(named)) return undefined;
  // The default folder itself must not be a link: whoever wrote the configuration file may have made it.
  const folder =
    tokenDir === undefined ? join(realpathSync(base), 'secrets') : followLinks(tokenDir);
  const path = realpathSync(named);
  if (!path.startsWith(join(folder, sep))) {
    throw new ConfigurationError(
      `The token file ${file} is outside ${folder}: move it there, or set BELAY_TOKEN_DIR to its folder.`,
    );
  }
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw new ConfigurationError(`The token file ${file} isn't valid UTF-8.`);
  return bytes.toString().trim() || undefined;
}

/** Nothing is in a folder that doesn't exist. */
function followLinks(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : resolve(folder);
}

/** "environment variable BELAY_TOKEN_T1_MAIN" */
export function describeReference(reference: TokenReference): string {
  return 'env' in reference ? `environment variable ${reference.env}` : `file ${reference.file}`;
}
