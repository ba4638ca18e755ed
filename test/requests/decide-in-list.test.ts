import { beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../playground/act-as.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { textsOf } from '../features/message-parts.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain, withdraw } from '../support/ask.ts';
import { shareWorldWithDatabase } from './world-with-database.ts';

const { world, db } = shareWorldWithDatabase();
beforeEach(() => db().deleteFrom('approval').execute());
const joana = '/belay disable joana.prado@example.com';
const sven = '/belay disable sven.moreau@example.com';

async function list(person: Actor, words: string, title: string): Promise<Message> {
  await person.send('ops', `/belay requests${words}`);
  return person.seeMessage(title);
}

/** The accessible name that tells one row's button from another's. */
const label = (verb: string, name: string) => (button: string) =>
  button.startsWith(`${verb}: disable ${name}`);

function labelsOf({ blocks = [] }: Message): string[] {
  return blocks.flatMap((block) =>
    block.type === 'actions'
      ? block.elements.flatMap((one) =>
          one.type === 'button' ? [one.accessibility_label ?? ''] : [],
        )
      : [],
  );
}

async function press(person: Actor, where: Message, verb: string, name: string): Promise<void> {
  const found = labelsOf(where).find(label(verb, name));
  if (!found) throw new Error(`no ${verb} for ${name} in ${labelsOf(where).join(', ')}`);
  await person.press(where, found);
}

test('an approver approves from the list, which is redrawn', async () => {
  const { ana, ben } = world();
  const first = await ask(ana, joana);
  await ask(ana, sven);
  const shown = await list(ben, '', '*2 open requests* · 2 you can decide');
  const texts = textsOf(shown.blocks).join('\n');
  expect(texts).toContain('*Waiting for your decision*');
  expect(texts).toContain('&gt; Left the company on Friday');
  await press(ben, shown, 'Approve', 'Joana Prado');
  const redrawn = await seeAgain(ben, shown, 'You approved the request to disable *Joana Prado*');
  // The approved one stays in the list until it has run.
  expect(redrawn.text).toMatch(/\*[12] open requests?\* · 1 you can decide/);
  expect(labelsOf(redrawn).some(label('Approve', 'Joana Prado'))).toBe(false);
  await seeAgain(ana, first, 'is disabled. Approved by <@U0BEN00002>');
  await heardBack(ana);
  // Requesters find their own there when it has ended, approvers what they decided.
  const own = await list(ana, ' mine', 'Recent requests');
  expect(own.text).toMatch(/✅ Completed · Disable \*Joana Prado\*.*\|View request>/);
  expect(own.text).not.toContain('requested by <@U0ANA00001> · <!date');

  // The list of another person is outdated: the click says so, and brings it up to date.
  const third = await ask(ana, '/belay disable ana.silva@example.com');
  const again = await list(ben, ' waiting', '*Waiting for your decision: 2*');
  await withdraw(ana, third);
  await seeAgain(ana, third, 'Withdrawn');
  await press(ben, again, 'Approve', 'Ana Silva');
  const current = await seeAgain(ben, again, 'This request was withdrawn.');
  expect(current.text).toContain('*Waiting for your decision: 1*');
});

test('an approver denies, and approves with a comment, from the list', async () => {
  const { ana, ben } = world();
  const one = await ask(ana, joana);
  const other = await ask(ana, sven);
  const shown = await list(ben, ' waiting', '*Waiting for your decision: 2*');
  await press(ben, shown, 'Deny', 'Joana Prado');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'On leave' },
  });
  const redrawn = await ben.seeMessage('You denied the request to disable *Joana Prado*');
  expect(redrawn.isEphemeral).toBe(true);
  await seeAgain(ana, one, '&gt; On leave');
  await press(ben, redrawn, 'Approve with comment', 'Sven Moreau');
  await ben.submit(await ben.seeDialog('Approve request'), { comment: { input: 'Agreed' } });
  const empty = await ben.seeMessage('You approved the request to disable *Sven Moreau*');
  expect(empty.text).toContain('No requests are waiting for your decision');
  await seeAgain(ana, other, '&gt; Agreed');
  await heardBack(ana, 2);
});

test('requesters withdraw and cancel in the list of their own requests', async () => {
  const { ana, ben } = world();
  const email = 'kim.lee@example.com';
  const deletion = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(deletion, 'Approve');
  await seeAgain(ben, deletion, 'Scheduled');
  const pending = await ask(ana, joana);
  const shown = await list(ana, ' mine', '*Your requests: 2*');
  expect(buttonTexts(shown)).toEqual(['Cancel deletion', 'Withdraw', 'Refresh']);
  await press(ana, shown, 'Withdraw', 'Joana Prado');
  const left = await seeAgain(ana, shown, 'You withdrew your request to disable *Joana Prado*');
  await seeAgain(ana, pending, 'Withdrawn');
  await ana.press(left, 'Cancel deletion');
  await seeAgain(ana, shown, 'Belay is canceling the request to delete *Kim Lee*');
  await seeAgain(ana, deletion, 'Canceled:');
});

test('an unknown filter is answered with the known ones', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay requests mien');
  await ana.seeMessage('Unknown filter `mien`. Did you mean `/belay requests mine`?');
  await ana.send('ops', '/belay requests waiting');
  await ana.seeMessage('No requests are waiting for your decision');
  expect(messagesOf(ana).length).toBeGreaterThan(1);
});
