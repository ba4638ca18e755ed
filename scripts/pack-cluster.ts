import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { z } from 'zod';
import type { ClusterHeader } from '../src/database/embedded/create-pglite.ts';

/**
 * Writes src/database/embedded/new-cluster.br, the cluster that a first start on PGlite unpacks:
 * `pack-cluster.ts`, after each update of PGlite.
 */

const root = join(import.meta.dirname, '..');
const lockfile = z.object({
  packages: z.object({ 'node_modules/@electric-sql/pglite': z.object({ version: z.string() }) }),
});

/** The version of PGlite in the lockfile. */
export function pgliteVersion(): string {
  const { packages } = lockfile.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  return packages['node_modules/@electric-sql/pglite'].version;
}

function pack(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => ({
    isFolder: entry.isDirectory(),
    path: join(entry.parentPath, entry.name).slice(folder.length + 1),
  }));
  const pathsOf = (isFolder: boolean) =>
    entries.filter((entry) => entry.isFolder === isFolder).map(({ path }) => path);
  // The three databases of a cluster have equal files with equal names: placed next to each other,
  // they compress better.
  const files = pathsOf(false)
    .sort((one, other) => basename(one).localeCompare(basename(other)) || (one < other ? -1 : 1))
    .map((path) => ({ path, content: readFileSync(join(folder, path)) }));
  const header: ClusterHeader = {
    pglite: pgliteVersion(),
    folders: pathsOf(true).sort(),
    files: files.map(({ path, content }) => ({ path, bytes: content.length })),
  };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(header)}\n`),
    ...files.map(({ content }) => content),
  ]);
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), 'belay-cluster-'));
  try {
    const pglite = await PGlite.create(folder);
    await pglite.close();
    const packed = brotliCompressSync(pack(folder), {
      params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
    });
    writeFileSync(join(root, 'src/database/embedded/new-cluster.br'), packed);
  } finally {
    await rm(folder, { recursive: true });
  }
}
