import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { expect, it, onTestFinished } from 'vitest';
import { pgliteVersion } from '../../../scripts/pack-cluster.ts';
import { createPGlite, readArchive } from '../../../src/database/embedded/create-pglite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function open(directory: string): Promise<PGlite> {
  const pglite = await createPGlite(directory);
  onTestFinished(() => pglite.close());
  return pglite;
}

it('has a cluster of the installed version of PGlite', async () => {
  const { header } = await readArchive();
  expect(header.pglite).toBe(pgliteVersion());
});

it('creates what initdb creates', async () => {
  const describeCluster = async (pglite: PGlite) => {
    const { rows } = await pglite.query(`
      select version(), catalog_version_no, data_page_checksum_version, current_database(),
        (select jsonb_agg(to_jsonb(d) - 'datfrozenxid' - 'datminmxid' order by oid)
          from pg_database d) as databases,
        (select jsonb_agg(rolname order by rolname) from pg_roles) as roles,
        (select jsonb_agg(oid::text || relname order by oid) from pg_class) as relations,
        (select jsonb_agg(oid::text || proname order by oid) from pg_proc) as functions
      from pg_control_system(), pg_control_init()`);
    return rows;
  };
  const unpacked = await open(temporaryFolder());
  const initialized = await open('memory');
  expect(await describeCluster(unpacked)).toEqual(await describeCluster(initialized));
});

it('starts again where an earlier first start was interrupted', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'pg.new'));
  writeFileSync(join(folder, 'pg.new', 'PG_VERSION'), 'incomplete');
  const { rows } = await (await open(folder)).query('select 1 as one');
  expect(rows).toEqual([{ one: 1 }]);
  expect(existsSync(join(folder, 'pg.new'))).toBe(false);
});
