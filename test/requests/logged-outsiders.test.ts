import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { ask, messagesOf } from '../support/ask.ts';
import { commandRaw, openAnswerBox } from '../support/raw-request.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();

test.each([
  { who: 'gus', reason: 'guest' },
  { who: 'sam', reason: 'external' },
] as const)('refused clicks of $who are in the audit log', async ({ who, reason }) => {
  const { ana, [who]: outsider } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  for (const button of ['Approve', 'Deny']) {
    const before = messagesOf(outsider).length;
    await outsider.press(request, button);
    await outsider.see(() => messagesOf(outsider)[before], 'the refusal');
  }
  const by = people[who];
  expect((await logOf(db(), request)).slice(1)).toEqual(
    [1, 2].map(() => `refused ${by} ${reason}`),
  );
});

test('a person who keeps clicking adds few entries', async () => {
  const { ana, cleo } = world();
  const request = await ask(ana, '/belay disable joana.prado@example.com');
  for (let click = 0; click < 9; click += 1) {
    const before = messagesOf(cleo).length;
    await cleo.press(request, 'Approve');
    await cleo.see(() => messagesOf(cleo)[before], 'the refusal');
  }
  const refusals = (await logOf(db(), request)).filter((entry) => entry.startsWith('refused'));
  expect(refusals).toHaveLength(4);
});

test('a command of a deactivated account is in the audit log', async () => {
  const box = await openAnswerBox();
  await commandRaw(world(), { slackUserId: people.dee, text: 'users ana', responseUrl: box.url });
  expect(await box.answer).toContain("Deactivated accounts can't use");
  const entries = await db()
    .selectFrom('audit_log')
    .select(['event', 'facts', 'approval_id'])
    .where('actor', '=', people.dee)
    .execute();
  const facts = { attempted: 'use', reason: 'deactivated' };
  expect(entries).toEqual([{ event: 'refused', facts, approval_id: null }]);
});

test.each([
  ['/belay setup', '/belay setup', 'Only admins'],
  ['/belay doctor', '/belay doctor', 'Only admins'],
  ['/belay audit', '/belay audit', 'Only auditors and admins'],
  ['/belay connection use default', '/belay connection use', 'Only approvers and admins'],
  ['/belay away @cleo until 10d', '/belay away', 'Only approvers can name'],
])('an attempt without the right is in the audit log: %s', async (command, used, words) => {
  const { ana } = world();
  await ana.send('ops', command);
  await ana.seeMessage(words);
  const entries = await db()
    .selectFrom('audit_log')
    .select(['event', 'facts'])
    .where('actor', '=', people.ana)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute();
  const facts = { attempted: 'use', reason: 'right_missing', used };
  expect(entries).toEqual([{ event: 'refused', facts }]);
});
