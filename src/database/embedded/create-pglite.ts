import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { PGlite, types } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import PQueue from 'p-queue';
import { z } from 'zod';

/** Starts the embedded database in `pg` in this folder, or in memory if it is `memory`. */
export async function createPGlite(directory: string): Promise<PGlite> {
  // bigint as a number, as for the pg driver, so that both databases return the same types.
  const parsers = { [types.INT8]: Number };
  if (directory === 'memory') return PGlite.create({ parsers });
  const dataFolder = `${directory}/pg`;
  if (!existsSync(`${dataFolder}/PG_VERSION`)) await createCluster(dataFolder);
  const fs = new DurableFileSystem(dataFolder);
  return PGlite.create({ fs, parsers, startParams: durableStartParams });
}

/** Made by scripts/pack-cluster.ts. */
const archive = new URL('./new-cluster.br', import.meta.url);

/** Well below the number of files that a process may usually open. */
const filesAtOnce = 64;

const header = z.object({
  /** The version of PGlite that made the cluster. */
  pglite: z.string(),
  folders: z.array(z.string()),
  /** Their contents follow the header's line, in this order. */
  files: z.array(z.object({ path: z.string(), bytes: z.number() })),
});

/** The contents of the archive, as `pack-cluster.ts` writes them. */
export type ClusterHeader = z.infer<typeof header>;

export async function readArchive(): Promise<{ header: ClusterHeader; contents: Buffer }> {
  const unpacked = await promisify(brotliDecompress)(await readFile(archive));
  const end = unpacked.indexOf('\n');
  return {
    header: header.parse(JSON.parse(unpacked.toString('utf8', 0, end))),
    contents: unpacked.subarray(end + 1),
  };
}

/**
 * Creates an empty PostgreSQL cluster from the archive: initdb, which PGlite would run, takes ten times
 * as long. After a power loss there is either a complete cluster in the folder or none.
 */
async function createCluster(folder: string): Promise<void> {
  const temporary = `${folder}.new`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true, mode: 0o700 });
  const { header, contents } = await readArchive();
  for (const path of header.folders) await mkdir(join(temporary, path), { mode: 0o700 });
  let start = 0;
  const files = header.files.map(({ path, bytes }) => {
    start += bytes;
    return { path: join(temporary, path), content: contents.subarray(start - bytes, start) };
  });
  // Many at once, because the file system can then write them together.
  await new PQueue({ concurrency: filesAtOnce }).addAll(
    files.map(
      ({ path, content }) =>
        () =>
          writeDurably(path, content),
    ),
  );
  await Promise.all(header.folders.map((path) => syncFolder(join(temporary, path))));
  await syncFolder(temporary);
  await rename(temporary, folder);
  await syncFolder(dirname(folder));
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

type Init = Awaited<ReturnType<NodeFS['init']>>;

/** The part of Emscripten's module that is patched; PGlite's version is pinned because of it. */
type NodeFileSystemModule = {
  NODEFS: {
    stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
    realPath: (node: unknown) => string;
  };
};

function hasNodeFileSystem(module: object): module is NodeFileSystemModule {
  return 'NODEFS' in module;
}

/**
 * PGlite's file system with a working fsync. Without it, committed data survives kill -9 but not a
 * power loss (electric-sql/pglite #1107).
 */
class DurableFileSystem extends NodeFS {
  override async init(...parameters: Parameters<NodeFS['init']>): Promise<Init> {
    const result = await super.init(...parameters);
    result.emscriptenOpts.preRun = [...(result.emscriptenOpts.preRun ?? []), addFsync];
    return result;
  }
}

function addFsync(module: object): void {
  if (!hasNodeFileSystem(module)) throw new Error('PGlite has no NODEFS: its version has changed');
  const { NODEFS: fileSystem } = module;
  fileSystem.stream_ops.fsync = (stream) => {
    if (stream.nfd !== undefined) {
      fsyncSync(stream.nfd);
      return 0;
    }
    syncPath(fileSystem.realPath(stream.node));
    return 0;
  };
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * PGlite's defaults without -F, which turns fsync off, and with a smaller buffer: it is part of the
 * process's memory, and 128 MB by default.
 */
const durableStartParams: string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=16MB',
];
