import { existsSync } from 'node:fs';
import { PGlite, types } from '@electric-sql/pglite';
import { createCluster } from './create-cluster.ts';
import { DurableFileSystem, durableStartParams } from './durable-file-system.ts';

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
