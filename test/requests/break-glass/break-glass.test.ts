import { expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { storeSettings } from '../../support/store-settings.ts';
import { logOf } from '../world-with-database.ts';
import {
  announcementOf,
  breakGlass,
  newestOf,
  runNow,
  shareBreakGlassWorld,
  writesOf,
} from './break-glass-world.ts';

const { world, db, setRules, pass } = shareBreakGlassWorld();
const disable = '/belay disable joana.prado@example.com';

async function setTokenOwner(owner: string | null): Promise<void> {
  await db().updateTable('connection').set({ token_owner: owner }).execute();
}

const blocksOf = ({ blocks }: { blocks?: unknown }) => JSON.stringify(blocks);

test('a person named in the rule runs an action without approval, announced first', async () => {
  const { ana, ben } = world();
  const answer = await breakGlass(ana, disable);
  expect(answer.text).toContain('Belay is running this without approval.');
  const posted = await announcementOf(ana);
  expect(posted.text).toMatch(
    /^🚨 Break-glass: \w+: <@U0ANA00001> used break-glass to disable \*Joana Prado\* .* without approval\./,
  );
  const done = await seeAgain(ana, posted, 'is disabled.');
  expect(done.text).toMatch(/^🚨 Break-glass: completed: /);
  expect(blocksOf(done)).toContain(`Needs review by <@${people.ben}>.`);
  expect(blocksOf(done)).toContain('Account is stolen');
  expect(buttonTexts(done)).toEqual(['Mark as reviewed…', 'Re-enable', 'View user']);
  expect(writesOf(world())).toHaveLength(1);
  expect(await newestOf(db())).toMatchObject({ decided_by: null, votes: [], state: 'completed' });
  expect(await logOf(db(), posted)).toEqual([
    `requested ${people.ana}`,
    `break_glass ${people.ana}`,
    'started belay',
    'completed belay',
  ]);
  await ben.send('ops', '/belay audit');
  const log = await ben.seeMessage('Audit log');
  expect(log.text).toMatch(/<@U0ANA00001> \*used break-glass\* to disable /);
  expect(log.text).toMatch(/<@U0ANA00001> \*started disabling\* .* \*without approval\*/);
});

test('approvers who are not in the channel get a direct message at once', async () => {
  const { ana, ben, workspace } = world();
  const ops = workspace.channels.find(({ name }) => name === 'ops');
  if (!ops) throw new Error('there is no channel #ops');
  ops.members = [people.ana, people.cleo];
  await breakGlass(ana, disable);
  const copy = await ben.see(
    () =>
      messagesOf(ben).find(
        ({ channelId, text }) => channelId.startsWith('D') && text.startsWith('🚨 Break-glass'),
      ),
    'the direct message of an approver',
  );
  delete ops.members;
  const done = await seeAgain(ben, copy, 'is disabled.');
  expect(blocksOf(done)).toContain('Account is stolen');
  expect(buttonTexts(done)).toEqual(['Mark as reviewed…', 'View user']);
});

test('nobody else sees the option or can submit it', async () => {
  const { ana, ben } = world();
  await ben.send('ops', disable);
  const form = await ben.seeDialog('Reason');
  expect(blocksOf(form)).not.toContain('without approval');
  // The person was named when the form opened.
  await ana.send('ops', disable);
  const opened = await ana.seeDialog('Run now without approval');
  await setRules({ 'users.disable': { breakGlass: [people.gus] } });
  await ana.submit(opened, { reason: { input: 'Stolen' }, ...runNow });
  await ana.seeMessage(
    "The rule for this action doesn't let <@U0ANA00001> run it without approval.",
  );
  expect(writesOf(world())).toEqual([]);
  expect(await newestOf(db())).toBeUndefined();
  // An action without a rule has nobody.
  await ana.send('ops', '/belay rename joana.prado@example.com');
  expect(blocksOf(await ana.seeDialog('New name'))).not.toContain('without approval');
});

test('somebody who may not request it can still run it in an emergency', async () => {
  const { ana } = world();
  await setRules({ 'users.disable': { breakGlass: [people.ana], requesters: [people.gus] } });
  await ana.send('ops', disable);
  const form = await ana.seeDialog('Run now without approval');
  expect(blocksOf(form)).toContain('This request would be refused right now.');
  await ana.submit(form, { reason: { input: 'Stolen' }, ...runNow });
  await seeAgain(ana, await announcementOf(ana), 'is disabled.');
});

test.each([
  {
    what: 'about the person who runs it',
    before: async () => world().slack.setPerson(people.ana, { email: 'Joana.Prado@example.com' }),
    words: 'This request is about',
  },
  {
    what: 'by a person whose address is hidden',
    before: async () => world().slack.setPerson(people.ana, { email: '' }),
    words: "Slack doesn't show Belay the email address of <@U0ANA00001>.",
  },
  {
    what: 'about the token owner',
    before: () => setTokenOwner('joana.prado@example.com'),
    words: "This user owns Belay's API token",
  },
  {
    what: 'while a check cannot be made',
    before: () => setTokenOwner(null),
    words: "Belay couldn't check this: token owner (not set in setup).",
  },
])('nothing runs $what', async ({ before, words }) => {
  await before();
  const answer = await breakGlass(world().ana, disable);
  world().slack.setPerson(people.ana, { email: 'ana@harbor.example' });
  expect(answer.text).toContain(words);
  expect(answer.text).toContain('Account is stolen');
  expect(writesOf(world())).toEqual([]);
  expect(await newestOf(db())).toBeUndefined();
});

test('a run that cannot be posted does not start', async () => {
  const { ana, slack } = world();
  slack.failNext('chat.postMessage', 'is_archived');
  const answer = await breakGlass(ana, disable);
  expect(answer.text).toContain("Belay can't post in");
  expect(writesOf(world())).toEqual([]);
  expect(await newestOf(db())).toBeUndefined();
});

test('a run whose post gets no answer never starts', async () => {
  const { ana, slack } = world();
  slack.failNext('chat.postMessage', { isAnswerLost: true });
  await breakGlass(ana, disable);
  pass(3 * 60_000);
  await world().belay.sweep();
  expect(await newestOf(db())).toMatchObject({ state: 'voided' });
  expect(writesOf(world())).toEqual([]);
});

test('runs without approval count toward the limit per hour', async () => {
  const { ana } = world();
  await storeSettings(db(), { usersPerHour: 1 });
  await breakGlass(ana, disable);
  await seeAgain(ana, await announcementOf(ana), 'is disabled.');
  const answer = await breakGlass(ana, '/belay disable kim.lee@example.com');
  await storeSettings(db(), { usersPerHour: 10 });
  expect(answer.text).toContain('at most 1 user per hour');
  expect(writesOf(world())).toHaveLength(1);
});

test('a deletion keeps its grace period, and an approver cancels it', async () => {
  const { ana, ben } = world();
  await breakGlass(ana, '/belay delete joana.prado@example.com', {
    email: { input: 'joana.prado@example.com' },
  });
  const posted = await announcementOf(ana);
  const scheduled = await seeAgain(ana, posted, 'The account will be deleted');
  expect(buttonTexts(scheduled)).toEqual(['Mark as reviewed…', 'Cancel deletion', 'View user']);
  await ben.press(scheduled, 'Cancel deletion');
  const kept = await seeAgain(ana, posted, 'is enabled again.');
  expect(kept.text).toMatch(/^🚨 Break-glass: canceled: /);
  expect(buttonTexts(kept)).toContain('Mark as reviewed…');
});

test('a follower of a deletion sees who has to review it', async () => {
  const { ana, ben, cleo } = world();
  const command = '/belay delete joana.prado@example.com';
  await breakGlass(ana, command, { email: { input: 'joana.prado@example.com' } });
  const scheduled = await seeAgain(ana, await announcementOf(ana), 'The account will be deleted');
  await cleo.send('ops', command);
  await cleo.press(await cleo.seeDialog('already requested approval'), 'Follow request');
  await cleo.seeDialog("You'll get a direct message with the outcome");
  await ben.press(scheduled, 'Cancel deletion');
  const copy = await cleo.seeMessage("You're following");
  expect(blocksOf(copy)).toContain(`Needs review by <@${people.ben}>.`);
});

test('a scheduled step does not run once the rule no longer names the person', async () => {
  const { ana } = world();
  await breakGlass(ana, '/belay delete joana.prado@example.com', {
    email: { input: 'joana.prado@example.com' },
  });
  const posted = await announcementOf(ana);
  await seeAgain(ana, posted, 'The account will be deleted');
  const before = writesOf(world()).length;
  await setRules({ 'users.delete': { breakGlass: [people.gus] } });
  pass(31 * 60_000);
  await world().belay.sweep();
  await seeAgain(ana, posted, "doesn't let <@U0ANA00001> run it without approval.");
  expect(writesOf(world())).toHaveLength(before);
});
