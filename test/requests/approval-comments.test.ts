import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { ask, buttonTexts, heardBack, seeAgain, withdraw } from '../support/ask.ts';
import { changeSetup } from '../support/set-up.ts';
import { requestForSeveral } from './request-for-several.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();
const email = 'joana.prado@example.com';
const command = `/belay disable ${email}`;

const row = (messageTs: string) =>
  db()
    .selectFrom('approval')
    .select(['decision_reason', 'votes'])
    .where('message_ts', '=', messageTs)
    .executeTakeFirstOrThrow();

test('an approval with a comment shows it to all, and the audit log has it', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, command);
  await ben.press(request, 'Approve with comment…');
  const form = await ben.seeDialog('Approve request');
  const shown = JSON.stringify(form.blocks);
  expect(shown).toContain('requests approval to disable *Joana Prado*');
  expect(shown).toContain('Left the company on Friday');
  await ben.submit(form, { comment: { input: 'Agreed with <HR>' } });

  const comment = /\*Comment\* from <@U0BEN00002>\n&gt; Agreed with &lt;HR&gt;$/;
  const done = await seeAgain(ana, request, 'is disabled. Approved by <@U0BEN00002>');
  expect(done.text).toMatch(comment);
  expect((await heardBack(ana)).text).toMatch(comment);
  expect((await row(request.messageTs)).decision_reason).toBe('Agreed with <HR>');
  const { cleo } = world();
  await cleo.send('ops', '/belay audit');
  await cleo.seeMessage(/\*approved\* the request to disable .*“Agreed with &lt;HR&gt;”/);
});

test('the comment can be left out', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, command);
  await ben.press(request, 'Approve with comment…');
  await ben.submit(await ben.seeDialog('Approve request'), { comment: { input: null } });
  const done = await seeAgain(ana, request, 'is disabled. Approved by <@U0BEN00002>');
  expect(done.text).not.toContain('Comment');
  await heardBack(ana);
});

test('only people who can approve get the form, and submitting it too late does nothing', async () => {
  const { ana, ben, service } = world();
  const request = await ask(ana, command);
  await ana.press(request, 'Approve with comment…');
  await ana.seeMessage("You can't decide your own request. Nothing was changed.");
  await ben.press(request, 'Approve with comment…');
  const form = await ben.seeDialog('Approve request');
  await withdraw(ana, request);
  await seeAgain(ana, request, 'Withdrawn');
  await ben.submit(form, { comment: { input: 'Fine' } });
  await ben.seeMessage('This request was withdrawn.');
  expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('each of several approvers has their own comment, before and after the decision', async () => {
  const { ana, ben, cleo, slack } = world();
  slack.setPerson(people.gus, { isGuest: false, email: 'gus@harbor.example' });
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.cleo, people.gus] }));
  await requestForSeveral(world(), db(), { requester: ana, email });
  const request = await ana.seeMessage('Waiting for 2 approvals.');
  await ben.press(request, 'Approve with comment…');
  await ben.submit(await ben.seeDialog('2 different people must approve.'), {
    comment: { input: 'First' },
  });
  const half = await seeAgain(ana, request, '&gt; First');
  const copy = await heardBack(ana);
  expect(copy.text).toContain('&gt; First');
  expect(JSON.stringify(copy.blocks)).toContain(
    `Needs 1 more approval from <@${people.cleo}> or <@${people.gus}> · Expires`,
  );
  expect(buttonTexts(half)).toContain('Approve with comment…');
  await cleo.press(half, 'Approve with comment…');
  await cleo.submit(await cleo.seeDialog('Approve request'), { comment: { input: 'Second' } });
  const done = await seeAgain(ana, request, 'is disabled.');
  expect(done.text).toMatch(
    /\*Comment\* from <@U0BEN00002>\n&gt; First\n\*Comment\* from <@U0CLEO0003>\n&gt; Second$/,
  );
  await seeAgain(ana, copy, '&gt; Second');
  expect((await row(request.messageTs)).decision_reason).toBe('Second');
});
