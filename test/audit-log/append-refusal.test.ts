import { addHours } from 'date-fns/addHours';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import { createAppendRefusal, pruneRefusals } from '../../src/audit-log/append-refusal.ts';
import type { AuditEntry } from '../../src/audit-log/entry.ts';
import { verifyAuditLog } from '../../src/audit-log/verify.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { logKeys, newTeamId, noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';

const approvalId = 'b9d1f7a0-0000-4000-8000-000000000000';

function refusal(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    teamId: 'T1',
    at: noon,
    event: 'refused',
    actor: 'U_BEN',
    approvalId,
    facts: { attempted: 'approved', reason: 'not_approver' },
    ...changes,
  };
}

describe.each(databases())('refusals on $name', ({ open }) => {
  async function openLog() {
    const { db, close } = await open();
    onTestFinished(close);
    const append = createAppendRefusal(createAppendEntry(logKeys));
    const refuse = (entry: AuditEntry) => db.transaction().execute((trx) => append(trx, entry));
    return { db, refuse };
  }

  async function timesIn(db: Database, teamId: string) {
    const rows = await db
      .selectFrom('audit_log')
      .select(['actor', 'facts'])
      .where('team_id', '=', teamId)
      .orderBy('seq')
      .execute();
    return rows.map(({ actor, facts }) => `${actor} ${facts.times ?? 1}`);
  }

  it('of one person on one request are entries ever more rarely', async () => {
    const { db, refuse } = await openLog();
    for (let click = 0; click < 20; click += 1) await refuse(refusal());
    expect(await timesIn(db, 'T1')).toEqual([1, 2, 4, 8, 16].map((n) => `U_BEN ${n}`));
    await Promise.all(Array.from({ length: 12 }, () => refuse(refusal())));
    expect((await timesIn(db, 'T1')).at(-1)).toBe('U_BEN 32');
    const [report] = await verifyAuditLog(db, logKeys, []);
    expect(report?.firstBreak).toBeUndefined();
  });

  it('are counted separately for each person, request, attempt and workspace', async () => {
    const { db, refuse } = await openLog();
    const teamId = newTeamId();
    await refuse(refusal());
    await refuse(refusal({ actor: 'U_CLEO' }));
    await refuse(refusal({ approvalId: 'b9d1f7a0-0000-4000-8000-000000000001' }));
    await refuse(refusal({ facts: { attempted: 'denied', reason: 'not_approver' } }));
    await refuse(refusal({ teamId }));
    expect(await timesIn(db, 'T1')).toEqual(['U_BEN 1', 'U_CLEO 1', 'U_BEN 1', 'U_BEN 1']);
    expect(await timesIn(db, teamId)).toEqual(['U_BEN 1']);
  });

  it('are counted from 1 again after a day, when their counts are removed', async () => {
    const { db, refuse } = await openLog();
    await refuse(refusal({ actor: 'U_CLEO' }));
    for (const hours of [0, 23, 24, 25]) await refuse(refusal({ at: addHours(noon, hours) }));
    const counts = [1, 1, 2, 1, 2].map((n, at) => `${at === 0 ? 'U_CLEO' : 'U_BEN'} ${n}`);
    expect(await timesIn(db, 'T1')).toEqual(counts);
    await pruneRefusals(db, addHours(noon, 25), serveAll);
    const rows = await db.selectFrom('audit_refusal').select('times').execute();
    expect(rows).toEqual([{ times: 2 }]);
  });
});
