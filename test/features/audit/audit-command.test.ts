import { randomBytes } from 'node:crypto';
import { expect, inject, it, onTestFinished } from 'vitest';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { registerAudit } from '../../../src/features/audit/register.ts';
import { createAuditStore } from '../../../src/features/audit/store/audit-store.ts';
import { registerHelp } from '../../../src/features/help/register.ts';
import { someEntries, writeLog } from '../../audit-log/logged-team.ts';
import { noon, onePm } from '../../requests/store/rows.ts';
import { listen } from '../../slack/interactions/listening.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { buttonsOf } from '../message-parts.ts';

const teamId = 'T0HARBOR01';

const actionsOf = ({ blocks }: Message) => buttonsOf(blocks).map((one) => one.action_id);

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
  stage.provide({ settings: { approvers: [people.ben] } });
  const commands = registerAudit(stage.listeners, {
    store: createAuditStore(db, serveAll),
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
  const first = await ben.seeMessage('newest first · 1-10 of 12');
  expect(first.text).toContain(
    `Belay *refused* <@${people.ana}>'s attempt to do something with user \`42\`: own account`,
  );
  expect(first.text).toContain('11. ');
  expect(first.text).toContain('“left, number 10”');
  expect(first.text).not.toContain('\n2. ');

  await ben.press(first, 'Older');
  const second = await ben.seeMessage('\n2. ');
  expect(second.text).toContain('\n1. ');
  expect(second.text).not.toContain('\n3. ');
  expect(second.text).toContain('11-12 of 12');
  expect(actionsOf(second)).toEqual(['audit.previous', 'audit.refresh']);

  await ben.press(second, 'Newer');
  const newer = await ben.seeMessage('1-10 of 12');
  expect(newer.text).toContain('\n12. ');
  expect(actionsOf(newer)).toEqual(['audit.next', 'audit.refresh']);
});

it('shows the entries that match the filters', async () => {
  const { cleo } = await startAudit();
  await cleo.send('ops', '/belay audit event:refused by: @ana since:7d');
  const found = await cleo.seeMessage('newest first');
  expect(found.text).toContain('Filters: by <@U0ANA00001>, event refused, since');
  expect(found.text.match(/\n\d+\. /g)).toEqual(['\n12. ']);

  await cleo.send('ops', '/belay audit user:4');
  expect((await cleo.seeMessage('user “4”')).text).toContain('\n5. ');
  await cleo.send('ops', '/belay audit user:"number 4"');
  await cleo.seeMessage('Filters: user “number 4”');
  await cleo.seeMessage('No entries in the audit log match these filters.');
});

it('finds a person by a name that Slack did not turn into an id', async () => {
  const { cleo } = await startAudit();
  await cleo.send('ops', '/belay audit by:@ana');
  const found = await cleo.seeMessage('Filters: by <@U0ANA00001>');
  expect(found.text.match(/\n\d+\. /g)).toEqual(['\n12. ']);
  await cleo.send('ops', '/belay audit by:@nobody');
  await cleo.seeMessage('Nobody in this workspace has the name “nobody”.');
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
  await ana.seeMessage('Only auditors and admins');
  await ben.send('ops', '/belay audit denied');
  await ben.seeMessage('Unknown filter `denied`.');
});
