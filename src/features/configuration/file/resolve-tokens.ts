import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TokenReference } from './configuration.ts';

export type ReadToken = (reference: TokenReference) => string | undefined;

/**
 * Reads tokens from the environment and from files, relative to the folder of the configuration file.
 * Undefined for one that isn't there.
 */
export function createTokenReader(
  env: Record<string, string | undefined>,
  folder: string,
): ReadToken {
  return (reference) => {
    const text =
      'env' in reference ? env[reference.env] : readText(resolve(folder, reference.file));
    return text?.trim() || undefined;
  };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** "environment variable BELAY_TOKEN_T1_MAIN" */
export function describeReference(reference: TokenReference): string {
  return 'env' in reference ? `environment variable ${reference.env}` : `file ${reference.file}`;
}
