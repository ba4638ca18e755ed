import { expect, test } from 'vitest';
import type { Message, OpenView } from '../../../playground/slack/protocol.ts';
import { ask, heardBack, seeAgain } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

const hostile = [
  { email: 'everyone@example.com', raw: '<!channel>', seen: '&lt;!channel&gt; Everyone' },
  { email: 'link@example.com', raw: '<https://phish', seen: '&lt;https://phish.example|' },
  { email: 'brook.rivers@example.com', raw: '<b>', seen: 'Brook &amp; Rivers &lt;b&gt;Ltd' },
  { email: 'markup@example.com', raw: '*Bold* _', seen: '∗Bold∗ ˍSlantˍ ˋCodeˋ ∼' },
];

/** The text rendered as mrkdwn. Plain text, such as a header, can't contain mentions or links. */
function mrkdwnOf(shown: Message | OpenView): string {
  const mrkdwn: string[] = 'text' in shown ? [shown.text] : [];
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('type' in value && value.type === 'mrkdwn' && 'text' in value) {
      mrkdwn.push(String(value.text));
    }
    for (const one of Object.values(value)) collect(one);
  };
  collect(shown.blocks);
  return mrkdwn.join('\n');
}

test.each(hostile)('$seen is escaped in a card and its form', async ({ email, raw, seen }) => {
  const { ana } = world();
  await ana.send('ops', `/belay users ${email}`);
  const card = await ana.seeMessage("Each change needs a second person's approval.");
  expect(mrkdwnOf(card)).not.toContain(raw);

  await ana.press(card, 'Rename…');
  const form = await ana.seeDialog('Reason');
  expect(mrkdwnOf(form)).toContain(seen);
  expect(mrkdwnOf(form)).not.toContain(raw);
});

test.each(hostile)(
  '$seen causes no mention from request to outcome',
  async ({ email, raw, seen }) => {
    const { ana, ben, service, portal } = world();
    const isEnabled = service.users(portal.id).find((one) => one.email === email)?.is_enabled;
    const request = await ask(ana, `/belay ${isEnabled ? 'disable' : 'enable'} ${email}`, {
      reason: { input: '<!here> <@U0BEN00002> & more' },
    });
    await ben.press(request, 'Approve');
    const done = await seeAgain(ben, request, / is (dis|en)abled\./);
    for (const message of [request, done, await heardBack(ana)]) {
      expect(mrkdwnOf(message)).toContain(seen);
      expect(mrkdwnOf(message)).not.toContain(raw);
      expect(mrkdwnOf(message)).not.toContain('<!here>');
    }
    expect(mrkdwnOf(request)).toContain('&lt;!here&gt; &lt;@U0BEN00002&gt; &amp; more');
  },
);

test('Slack accepts a list of these names', async () => {
  const { ana } = world();
  await ana.send('ops', '/belay users channel');
  const list = await ana.seeMessage('channel');
  expect(mrkdwnOf(list)).not.toContain('<!channel>');
});

test('a name of 300 letters fits in every message and form', async () => {
  const { ana, ben } = world();
  const email = 'long@example.com';
  await ana.send('ops', `/belay users ${email}`);
  await ana.press(await ana.seeMessage("Each change needs a second person's approval."), 'Delete…');
  await ana.close(await ana.seeDialog('Reason'));
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(request, 'Approve');
  expect((await heardBack(ana)).text).toContain('will be deleted');
});

test.each(['zoe.fischer@example.com', 'noa@example.com', 'layla@example.com'])(
  'letters of all scripts and emoji are shown: %s',
  async (email) => {
    const { ana, service, portal } = world();
    const name = service.users(portal.id).find((one) => one.email === email)?.full_name ?? '';
    await ana.send('ops', `/belay users ${name}`);
    const card = await ana.seeMessage("Each change needs a second person's approval.");
    expect(card.text).toContain(name.replaceAll('\u200d', '⟨U+200D⟩'));
  },
);
