import { expect, test } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { readUnreviewed } from '../../../src/requests/break-glass/break-glass-store.ts';
import { textsOf } from '../../features/message-parts.ts';
import { buttonTexts, newMessages, seeAgain } from '../../support/ask.ts';
import { clickRaw, openAnswerBox } from '../../support/raw-request.ts';
import { logOf } from '../world-with-database.ts';
import { announcementOf, breakGlass, newestOf, shareBreakGlassWorld } from './break-glass-world.ts';

const { world, db, setRules } = shareBreakGlassWorld();
const disable = '/belay disable joana.prado@example.com';
const blocksOf = ({ blocks }: { blocks?: unknown }) => JSON.stringify(blocks);

/** A run by Ana that needs review, as the channel sees it. */
async function run(): Promise<Message> {
  await breakGlass(world().ana, disable);
  return seeAgain(world().ana, await announcementOf(world().ana), 'is disabled.');
}

async function review(person: Actor, on: Message | Awaited<ReturnType<Actor['seeHome']>>) {
  await person.press(on, 'Mark as reviewed…');
  const form = await person.seeDialog('Review break-glass run');
  expect(blocksOf(form)).toContain('Account is stolen');
  await person.submit(form, { comment: { input: 'Justified, see INC-4' } });
}

async function refused(person: Actor, on: Message): Promise<string> {
  const seeNew = newMessages(person);
  await person.press(on, 'Mark as reviewed…');
  const answer = await seeNew(({ isEphemeral }) => isEphemeral);
  return answer.text;
}

test('an approver reviews the run in the channel, once', async () => {
  const { ana, ben } = world();
  const done = await run();
  await review(ben, done);
  const reviewed = await seeAgain(ana, done, `Reviewed by <@${people.ben}>`);
  expect(blocksOf(reviewed)).toContain('Justified, see INC-4');
  expect(blocksOf(reviewed)).not.toContain('Needs review');
  expect(buttonTexts(reviewed)).toEqual(['Re-enable', 'View user']);
  await ben.seeMessage('✅ You reviewed the run to disable *Joana Prado*');
  // From a message that hasn't been updated yet.
  const { url: responseUrl, answer } = await openAnswerBox();
  const button = 'Mark as reviewed…';
  await clickRaw(world(), { slackUserId: people.ben, on: done, button, responseUrl });
  expect(await answer).toContain(`already reviewed by <@${people.ben}>`);
  expect((await logOf(db(), done)).slice(-2)).toEqual([
    `reviewed ${people.ben}`,
    `refused ${people.ben} already_reviewed`,
  ]);
});

test('neither the person who ran it nor anybody with the same mailbox can review it', async () => {
  const { ana, gus, slack } = world();
  await setRules({
    'users.disable': {
      breakGlass: [people.ana],
      approvals: [{ from: [people.gus, people.ana], count: 1 }],
    },
  });
  const done = await run();
  expect(await refused(ana, done)).toContain("You can't review your own run.");
  expect(await refused(world().ben, done)).toContain("You can't review this run.");
  slack.setPerson(people.gus, { email: 'Ana+other@harbor.example' });
  expect(await refused(gus, done)).toContain('have the same mailbox');
  // Ana had that mailbox when she ran it.
  slack.setPerson(people.ana, { email: 'elsewhere@harbor.example' });
  expect(await refused(gus, done)).toContain('have the same mailbox');
  slack.setPerson(people.gus, { email: '' });
  expect(await refused(gus, done)).toContain("Slack doesn't show Belay the email address");
  slack.setPerson(people.gus, { email: 'joana.prado@example.com' });
  expect(await refused(gus, done)).toContain('This request is about');
  slack.setPerson(people.ana, { email: 'ana@harbor.example' });
  expect((await newestOf(db()))?.reviewed_by).toBeNull();
  slack.setPerson(people.gus, { email: 'gus@harbor.example' });
  await review(gus, done);
  await seeAgain(ana, done, `Reviewed by <@${people.gus}>`);
});

test('runs that need review are first in the list of requests, and reviewed there', async () => {
  const { ana, ben } = world();
  await run();
  await ana.send('ops', '/belay requests');
  expect((await ana.seeMessage('You have no open requests')).text).not.toContain('need');
  await ben.send('ops', '/belay requests');
  const list = await ben.seeMessage('1 break-glass run needs review');
  expect(list.text).toContain('View run');
  await review(ben, list);
  const after = await ben.seeMessage('✅ You reviewed the run to disable *Joana Prado*');
  expect(after.text).not.toContain('needs review');
});

test('they are first on the Home tab of every approver, and reviewed there', async () => {
  const { ana, ben } = world();
  const done = await run();
  await ben.openHome();
  const home = await ben.seeHome('Needs review (1)');
  const texts = textsOf(home.blocks);
  expect(texts[0]).toContain('Needs review (1)');
  await review(ben, home);
  await seeAgain(ana, done, `Reviewed by <@${people.ben}>`);
  await ben.see(
    ({ home: now }) => (JSON.stringify({ now }).includes('Needs review') ? undefined : true),
    'a Home tab without the run',
  );
});

test.each(['unreadable', 'newer'] as const)('a run that is %s hides no other', async (kind) => {
  const { ana, ben, cleo } = world();
  const { messageTs } = await run();
  await db()
    .updateTable('approval')
    .where('message_ts', '=', messageTs)
    .set(kind === 'newer' ? { action: 'users.of_a_newer_version' } : { votes: '[{}]' })
    .execute();
  await breakGlass(ana, '/belay disable kim.lee@example.com');
  await seeAgain(ana, await announcementOf(ana, 'Kim Lee'), 'is disabled.');
  await ben.send('ops', '/belay requests');
  const list = await ben.seeMessage('1 break-glass run needs review');
  expect(list.text).toContain('Kim Lee');
  await ben.openHome();
  await ben.seeHome('Needs review (1)');
  expect(await readUnreviewed(db(), { teamId: world().workspace.teamId })).toMatchObject({
    count: 2,
    oldest: { messageTs },
  });
  await cleo.send('ops', '/belay doctor all');
  const doctor = await cleo.seeMessage(/\d+ (problem|warning)/);
  const told = "Belay can't read 1 request and leaves it out";
  if (kind === 'unreadable') expect(doctor.text).toContain(told);
  // A newer version can: nothing has to be repaired.
  else expect(doctor.text).not.toContain(told);
});

test('one of several simultaneous reviews is recorded', async () => {
  const { ana, ben, gus } = world();
  await setRules({
    'users.disable': {
      breakGlass: [people.ana],
      approvals: [{ from: [people.ben, people.gus], count: 1 }],
    },
  });
  const done = await run();
  for (const person of [ben, gus]) await person.press(done, 'Mark as reviewed…');
  const forms = [
    { person: ben, form: await ben.seeDialog('Review break-glass run') },
    { person: gus, form: await gus.seeDialog('Review break-glass run') },
  ];
  await Promise.all(
    forms.map(({ person, form }) => person.submit(form, { comment: { input: 'Fine' } })),
  );
  await seeAgain(ana, done, 'Reviewed by');
  await expect
    .poll(async () => (await logOf(db(), done)).filter((one) => /reviewed/.test(one)).length)
    .toBe(2);
  const entries = await logOf(db(), done);
  expect(entries.filter((one) => one.startsWith('reviewed'))).toHaveLength(1);
});
