import { randomBytes } from 'node:crypto';
import { expect, inject, it, onTestFinished } from 'vitest';
import { people } from '../../../playground/people.ts';
import { registerAudit } from '../../../src/features/audit/register.ts';
import { createAuditStore } from '../../../src/features/audit/store/audit-store.ts';
import { registerHelp } from '../../../src/features/help/register.ts';
import { someEntries, writeLog } from '../../audit-log/logged-team.ts';
import { listen } from '../../slack/listeners/listening.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { noon, onePm } from '../approvals/store/rows.ts';

const teamId = 'T0HARBOR01';

/** Ben is the approver, Cleo an admin; the log has 12 entries, of two people. */
async function startAudit() {
  const stage = await listen();
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  await writeLog(
    db,
    [randomBytes(32)],
    [
      ...someEntries(11, teamId),
      {
        teamId,
        at: onePm,
        event: 'refused',
        actor: people.ana,
        subjectId: '42',
        facts: { reason: 'own_account' },
      },
    ],
  );
  const commands = registerAudit(stage.listeners, {
    store: createAuditStore(db),
    readSettings: async () => ({ approvers: [people.ben] }),
    clock: () => noon,
  });
  registerHelp(stage.listeners, commands);
  const [ana, ben, cleo] = [people.ana, people.ben, people.cleo].map(stage.person);
  if (!ana || !ben || !cleo) throw new Error('someone is missing');
  return { ana, ben, cleo };
}

it('shows the log newest first, in pages', async () => {
  const { ben } = await startAudit();
  await ben.send('ops', '/belay audit');
  const first = await ben.seeMessage('newest first');
  expect(first.text).toContain(
    `<@${people.ana}> *was refused* something about user \`42\`: own account`,
  );
  expect(first.text).toContain('11. ');
  expect(first.text).toContain('“left, number 10”');
  expect(first.text).not.toContain('\n2. ');

  await ben.press(first, 'Older');
  const second = await ben.seeMessage('\n2. ');
  expect(second.text).toContain('\n1. ');
  expect(second.text).not.toContain('\n3. ');
});

it('shows the entries that match the filters', async () => {
  const { cleo } = await startAudit();
  await cleo.send('ops', '/belay audit event:refused by: @ana since:7d');
  const found = await cleo.seeMessage('newest first');
  expect(found.text).toContain('Decision log: by <@U0ANA00001>, with event `refused`, since');
  expect(found.text.match(/\n\d+\. /g)).toEqual(['\n12. ']);

  await cleo.send('ops', '/belay audit user:"number 4"');
  expect((await cleo.seeMessage('number 4')).text).toContain('\n5. ');
  await cleo.send('ops', '/belay audit event:voided');
  await cleo.seeMessage('The decision log has no entries with event `voided`.');
});

it("interprets a date in the person's time zone", async () => {
  const { cleo } = await startAudit();
  await cleo.send('ops', '/belay audit since:2026-02-28');
  expect((await cleo.seeMessage('newest first')).text).toMatch(
    /since <!date\^\d+[^>]*2026-02-27 23:00 UTC>/,
  );
});

it('is restricted to approvers and admins, and reports invalid filters', async () => {
  const { ana, ben } = await startAudit();
  await ana.send('ops', '/belay audit');
  await ana.seeMessage('open to approvers and to admins');
  await ben.send('ops', '/belay audit denied');
  await ben.seeMessage('`denied` is no filter.');
});
