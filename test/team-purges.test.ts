import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../src/audit-log/append.ts';
import { verifyAuditLog } from '../src/audit-log/verify.ts';
import type { Database } from '../src/database/tables.ts';
import { createUninstallStore } from '../src/features/installations/index.ts';
import { createUninstallHandlers } from '../src/team-purges.ts';
import { createTokenCipher } from '../src/workspace/store/token-cipher.ts';
import { noon } from './requests/store/rows.ts';
import { databases } from './support/databases.ts';
import { canaryOf, countRows, fillTeam } from './support/fill-team.ts';

const keys = [Buffer.alloc(32, 7)];
const append = createAppendEntry(keys);

/** What stays when a workspace uninstalls Belay, and why. */
const kept: Record<string, string> = {
  audit_log: 'the chain proves what was done; it holds no personal text',
  organization_workspace: "its organization's installation, if there is one, still serves it",
  audit_log_head: 'the end of that chain, which continues if Belay is installed again',
};

/** All tables as text. */
async function dump(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const parts: string[] = [];
  for (const { name } of rows) {
    const { rows: all } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t`.execute(db);
    parts.push(...all.map(({ row }) => `${name} ${row}`));
  }
  return parts.join('\n');
}

const openStore = (db: Database) =>
  createUninstallStore(db, {
    cipher: createTokenCipher(keys),
    handlers: createUninstallHandlers(append),
  });
const claim = () => ({ at: noon, until: noon });

describe.each(databases())('an uninstall on $name', ({ open }) => {
  it('deletes every row of the workspace but for the chain of the audit log, which verifies', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    await fillTeam(db, 'T_GONE', append);
    await fillTeam(db, 'T_STAYS', append);
    const ofOther = await countRows(db, 'T_STAYS');
    const before = await countRows(db, 'T_GONE');
    // A new table needs a row here, and a purge or a reason to be kept.
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([]);
    expect(await dump(db)).toContain(canaryOf('T_GONE'));

    const store = openStore(db);
    const installed = await store.find('T_GONE');
    if (!installed) throw new Error('not installed');
    expect(await store.end(installed, noon)).toBe(true);
    expect(await store.purge(installed, claim)).toBe('more');
    expect(await store.purge(installed, claim)).toBe('done');
    await store.remove(installed);

    const left = await countRows(db, 'T_GONE');
    const names = Object.entries(left).flatMap(([table, count]) => (count > 0 ? [table] : []));
    expect(names).toEqual(Object.keys(kept).sort());
    expect(await dump(db)).not.toContain(canaryOf('T_GONE'));
    expect(await dump(db)).toContain(canaryOf('T_STAYS'));
    expect(await countRows(db, 'T_STAYS')).toEqual(ofOther);
    const [report] = await verifyAuditLog(db, keys, []);
    expect(report).toMatchObject({ firstBreak: undefined, erasedTexts: 1 });
    const log = await db
      .selectFrom('audit_log')
      .select('event')
      .where('team_id', '=', 'T_GONE')
      .orderBy('seq')
      .execute();
    // The run of the request has an id of its own, as if the request were about several subjects.
    const voided = ['voided', 'voided'];
    expect(log.map(({ event }) => event)).toEqual(['approved', ...voided, 'uninstalled', 'erased']);
  });
});
