import { expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { checkStoredRows } from '../../../src/features/doctor/examine.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { canaryOf, fillTeam } from '../../support/fill-team.ts';

it('names the rows of the workspace that Belay leaves out, and nothing of what they contain', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  const append = createAppendEntry([Buffer.alloc(32)]);
  // In every column with JSON is the same text, which none of them allows.
  await fillTeam(db, 'T1', append);
  await db.updateTable('watch').set({ ended_at: null, ended_by: null }).execute();
  const findings = await checkStoredRows(db, 'T1');
  expect(findings.map(({ severity, text }) => `${severity}: ${text}`)).toEqual([
    expect.stringMatching(/^problem: Belay can't read 1 request and leaves it out/),
    expect.stringMatching(/1 change of the setup .*`setup_change`/),
    expect.stringMatching(/1 digest .*`digest`/),
    expect.stringMatching(/1 watch .*`watch`\): `[0-9a-f-]{36}`\.$/),
  ]);
  expect(JSON.stringify(findings)).not.toContain(canaryOf('T1'));
  expect(await checkStoredRows(db, 'T2')).toEqual([]);
});
