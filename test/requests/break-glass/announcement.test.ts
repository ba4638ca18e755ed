import { beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { heardBack, messagesOf, seeAgain } from '../../support/ask.ts';
import { storeSettings } from '../../support/store-settings.ts';
import {
  announcementOf,
  breakGlass,
  newestOf,
  security,
  shareBreakGlassWorld,
  writesOf,
} from './break-glass-world.ts';

const { world, db, setRules } = shareBreakGlassWorld();
const disable = '/belay disable joana.prado@example.com';

beforeEach(async () => {
  inOps(undefined);
  world().slack.setPerson(people.ben, { email: 'ben@harbor.example' });
  await db().deleteFrom('user_group').execute();
});

/** Who is in #ops, where runs are announced: everybody by default. */
function inOps(members: string[] | undefined): void {
  const ops = world().workspace.channels.find(({ name }) => name === 'ops');
  if (!ops) throw new Error('there is no channel #ops');
  if (members) ops.members = members;
  else delete ops.members;
}

/** The announcements that somebody got in direct messages. */
const directOf = (person: Actor): Message[] =>
  messagesOf(person).filter(
    ({ channelId, text }) => channelId.startsWith('D') && text.startsWith('🚨 Break-glass'),
  );

/** What the audit log says about the newest refused attempt. */
async function lastRefusal() {
  const { facts, actor } = await db()
    .selectFrom('audit_log')
    .select(['facts', 'actor'])
    .where('event', '=', 'refused')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  return { actor, facts };
}

const refusedBecause = (reason: string) => ({
  actor: people.ana,
  facts: { attempted: 'break_glass', reason },
});

/** The copies of all runs show how they ended, so that no later call takes the next test's faults. */
const settled = () =>
  expect
    .poll(() =>
      db()
        .selectFrom('request_copy')
        .innerJoin('approval', 'approval.id', 'approval_id')
        .select('slack_user_id')
        .where('kind', 'in', ['follower', 'approver'])
        .whereRef('shown_version', '<', 'approval.version')
        .execute(),
    )
    .toEqual([]);

/** Nothing was announced, and nothing runs. */
async function expectNothing(): Promise<void> {
  expect(messagesOf(world().ana).filter(({ text }) => text.startsWith('🚨'))).toEqual([]);
  expect(await newestOf(db())).toBeUndefined();
  expect(writesOf(world())).toEqual([]);
}

/** The run was announced in the channel and ended there without a change. */
async function expectVoided(): Promise<void> {
  const { ana } = world();
  const words = 'No approver other than the requester could be notified. Nothing was changed.';
  await seeAgain(ana, await announcementOf(ana), words);
  await heardBack(ana);
  await settled();
  expect(await newestOf(db())).toMatchObject({ state: 'voided' });
  expect(writesOf(world())).toEqual([]);
  expect(await lastRefusal()).toMatchObject(refusedBecause('not_announced'));
}

const approvers = (ids: string[]) => storeSettings(db(), { approvers: ids });

test('nothing runs while Slack does not return a group of approvers', async () => {
  const { ana, slack } = world();
  const named = { breakGlass: [people.ana] };
  const both = [{ from: [people.ben, security], count: 1 }];
  await setRules({ 'users.disable': { ...named, approvals: both } });
  slack.failNext('usergroups.users.list', { retryAfterSeconds: 60 });
  const answer = await breakGlass(ana, disable);
  expect(answer.text).toContain(`Slack didn't return the members of <!subteam^${security}>`);
  expect(answer.text).toContain('Try again in a minute, or request approval instead.');
  await expectNothing();
  expect(await lastRefusal()).toMatchObject(refusedBecause('check_not_made'));
});

test('nothing runs while Slack does not return the admins who approve', async () => {
  const { ana, slack } = world();
  await approvers([]);
  slack.failNext('users.list', 'internal_error');
  // The form has read them; the submission does not rely on that.
  slack.failNext('users.list', 'internal_error');
  const answer = await breakGlass(ana, disable);
  expect(answer.text).toContain("Slack didn't return the admins of this workspace");
  await expectNothing();
  expect(await lastRefusal()).toMatchObject(refusedBecause('check_not_made'));
});

test.each([
  { who: 'the person who runs it', ids: [people.ana], email: 'ben@harbor.example' },
  { who: 'a second account', ids: [people.ana, people.ben], email: 'Ana+2@harbor.example' },
  { who: 'somebody without an address', ids: [people.ben], email: '' },
  { who: 'its subject', ids: [people.ben], email: 'joana.prado@example.com' },
  { who: 'a guest', ids: [people.gus], email: 'ben@harbor.example' },
])('nothing runs if the only approver is $who', async ({ ids, email }) => {
  const { ana, slack } = world();
  slack.setPerson(people.gus, { isGuest: true });
  slack.setPerson(people.ben, { email });
  await approvers(ids);
  const answer = await breakGlass(ana, disable);
  expect(answer.text).toContain('requires an approver other than you');
  expect(answer.text).toContain('/belay access');
  await expectNothing();
  expect(await lastRefusal()).toMatchObject(refusedBecause('not_announced'));
});

test('a channel without approvers does not count: one gets a direct message first', async () => {
  const { ana, ben, slack } = world();
  inOps([people.ana, people.cleo]);
  slack.failNext('conversations.open', 'internal_error');
  const answer = await breakGlass(ana, disable);
  expect(answer.text).toContain("couldn't notify an approver other than you");
  await expectVoided();
  expect(directOf(ben)).toEqual([]);

  slack.reset();
  await breakGlass(ana, disable);
  await seeAgain(ana, await announcementOf(ana, 'is disabled.'), 'is disabled.');
  const [direct] = directOf(ben);
  if (!direct) throw new Error('Ben got no direct message');
  await seeAgain(ben, direct, 'is disabled.');
  expect(directOf(ben)).toHaveLength(1);
  await heardBack(ana);
  await settled();
});

test('a second account of the requester in the channel does not count', async () => {
  const { ana, ben, slack } = world();
  inOps([people.ana, people.gus]);
  slack.setPerson(people.gus, { isGuest: false, email: 'ana+2@harbor.example' });
  await approvers([people.gus, people.ben]);
  slack.failNext('conversations.open', 'internal_error');
  await breakGlass(ana, disable);
  await expectVoided();
  expect(directOf(ben)).toEqual([]);
});

test('the members of the channel are not guessed when Slack does not return them', async () => {
  const { ana, ben, slack } = world();
  slack.failNext('conversations.members', 'internal_error');
  slack.failNext('conversations.open', 'internal_error');
  await breakGlass(ana, disable);
  await expectVoided();
  expect(directOf(ben)).toEqual([]);
});

test('a direct message whose answer is lost does not count, and is corrected', async () => {
  const { ana, ben, slack } = world();
  inOps([people.ana]);
  // The first message is the one in the channel.
  slack.failNext('chat.postMessage', { answerAfter: () => Promise.resolve() });
  slack.failNext('chat.postMessage', { isAnswerLost: true });
  await breakGlass(ana, disable);
  await expectVoided();
  const [direct] = directOf(ben);
  if (!direct) throw new Error('Ben got no direct message');
  await seeAgain(ben, direct, 'Nothing was changed.');
  expect(directOf(ben)).toHaveLength(1);
});

test('another approver is notified if the first one cannot be', async () => {
  const { ana, ben, cleo, slack } = world();
  inOps([people.ana]);
  await approvers([people.ben, people.cleo]);
  slack.failNext('conversations.open', 'internal_error');
  await breakGlass(ana, disable);
  await seeAgain(ana, await announcementOf(ana), 'is disabled.');
  // Ben's is sent after the start, like those of other approvers who aren't in the channel.
  for (const one of [ben, cleo]) {
    await one.see(() => directOf(one)[0], 'the direct message of an approver');
    expect(directOf(one)).toHaveLength(1);
  }
  await heardBack(ana);
  await settled();
});

test('a run that exceeds the limit while it is announced is corrected everywhere', async () => {
  const { ana, ben, cleo, slack } = world();
  inOps([people.ana, people.cleo]);
  await setRules({ 'users.disable': { breakGlass: [people.ana, people.cleo] } });
  await storeSettings(db(), { usersPerHour: 1 });
  const others = Promise.withResolvers<void>();
  slack.failNext('chat.postMessage', { answerAfter: () => others.promise });
  const slow = breakGlass(ana, disable);
  const announced = await announcementOf(ana, 'Joana Prado');
  await breakGlass(cleo, '/belay disable kim.lee@example.com');
  others.resolve();
  expect((await slow).text).toContain('at most 1 user per hour');
  await storeSettings(db(), { usersPerHour: 10 });
  await seeAgain(ana, announced, 'The limit of users per hour was reached.');
  const direct = await ben.see(
    () => directOf(ben).find(({ text }) => text.includes('Joana Prado')),
    'the direct message of an approver',
  );
  await seeAgain(ben, direct, 'The limit of users per hour was reached.');
  await seeAgain(cleo, await announcementOf(cleo, 'Kim Lee'), 'is disabled.');
  await heardBack(cleo);
  await settled();
  expect(writesOf(world())).toHaveLength(1);
});
