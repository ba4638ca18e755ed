import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type Release, requireCompatible, thisRelease } from '../../src/database/compatibility.ts';
import { listMigrations, migrate, readSchemaStatus } from '../../src/database/migrate.ts';
import type { Database } from '../../src/database/tables.ts';
import { joinReplicas } from '../../src/replicas/replicas.ts';
import { databases, postgresUrl } from '../support/databases.ts';
import { patienceMs } from '../support/patience.ts';

const added = '900_nickname';
const removed = '901_no_started_at';

const released: Release = { ...thisRelease, version: '0.8.1', oldestCompatible: '0.7.0' };
/** A column is replaced: the first step adds the new one, the second removes the old one. */
const next: Release = {
  version: '0.9.0',
  oldestCompatible: '0.8.0',
  expand: {
    ...thisRelease.expand,
    [added]: {
      async up(db) {
        await sql`alter table replica add column nickname text`.execute(db);
      },
    },
  },
  contract: {
    [removed]: {
      oldest: '0.9.0',
      async up(db) {
        await sql`alter table replica alter column started_at drop not null`.execute(db);
      },
    },
  },
};
const later: Release = { ...next, version: '0.10.0', oldestCompatible: '0.9.0' };

const join = (db: Database, version: string) =>
  joinReplicas(db, { id: version, version, clock: () => new Date() });

const addedSince = async (db: Database) =>
  (await listMigrations(db)).filter((name) => name >= '900');

it.each(databases())(
  'upgrades beside the version before, and back, until the second step, on $name',
  async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(async () => {
      // The next test may get the same database.
      await sql`delete from schema_migration where name >= '900'`.execute(db);
      await sql`alter table replica drop column if exists nickname`.execute(db);
      await sql`update replica set started_at = now() where started_at is null`.execute(db);
      await sql`alter table replica alter column started_at set not null`.execute(db);
      await close();
    });
    await migrate(db, { release: released });
    const old = await join(db, released.version);
    await migrate(db, { release: next });
    expect(await addedSince(db)).toEqual([added]);
    expect(await readSchemaStatus(db, next)).toMatchObject({ newer: [], pending: [removed] });
    expect(await readSchemaStatus(db, released)).toMatchObject({ newer: [added], pending: [] });

    // The previous version starts again, as after a crash or to roll back.
    await migrate(db, { release: released });
    await old.beat();
    await expect(migrate(db, { release: next, contract: true })).rejects.toThrow(
      /^processes of Belay 0\.8\.1 ran within the last 60 seconds, and this upgrade needs Belay 0\.9\.0 or newer\. Stop them/,
    );
    // The second step runs automatically only in a version that can't run beside the old one.
    await expect(migrate(db, { release: later })).rejects.toThrow(/^processes of Belay 0\.8\.1/);
    expect(await addedSince(db)).toEqual([added]);

    await old.leave();
    await join(db, next.version);
    await migrate(db, { release: later });
    expect(await addedSince(db)).toEqual([added, removed]);
    expect(await readSchemaStatus(db, later)).toMatchObject({ oldest: '0.9.0', pending: [] });
    await migrate(db, { release: next });
    const tooOld = /^this is Belay 0\.8\.1, but the database was upgraded and needs Belay 0\.9\.0/;
    await expect(migrate(db, { release: released })).rejects.toThrow(tooOld);
    await expect(requireCompatible(db, released)).rejects.toThrow(tooOld);
  },
);

it.runIf(postgresUrl)(
  'waits for a table that is in use without making others wait behind it',
  async () => {
    const postgres = databases().find(({ name }) => name === 'PostgreSQL');
    const { db, close } = (await postgres?.open()) ?? expect.fail('no PostgreSQL');
    onTestFinished(close);
    const { promise: isRead, resolve: endReading } = Promise.withResolvers<void>();
    const reading = db.transaction().execute(async (trx) => {
      await trx.selectFrom('replica').selectAll().execute();
      await isRead;
    });
    const migrating = migrate(db, { release: { ...next, contract: {} } });
    const isWaiting = async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db);
      return rows.length > 0;
    };
    await expect.poll(isWaiting, { timeout: patienceMs }).toBe(true);
    // Queued behind the migration, which gives up waiting.
    await join(db, released.version);
    endReading();
    await Promise.all([reading, migrating]);
    expect(await addedSince(db)).toEqual([added]);
  },
);

it('can run beside the previous minor version, as thisRelease says', () => {
  const [major, minor = 0] = thisRelease.version.split('.').map(Number);
  const before = [`${major}.${minor - 1}.0`, `${major}.${minor}.0`];
  expect(before).toContain(thisRelease.oldestCompatible);
});
