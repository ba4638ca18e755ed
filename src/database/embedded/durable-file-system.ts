import { closeSync, fsyncSync, openSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

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
export class DurableFileSystem extends NodeFS {
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
export const durableStartParams: string[] = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
  '-c',
  'shared_buffers=16MB',
];
