import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import PQueue from 'p-queue';
import { z } from 'zod';

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
export async function createCluster(folder: string): Promise<void> {
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
