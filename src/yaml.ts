import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loads the package when the first file is read or written: most processes never do. */
export function loadYaml(): typeof import('yaml') {
  return require('yaml');
}
