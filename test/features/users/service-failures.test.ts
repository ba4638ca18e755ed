import { describe, expect, test } from 'vitest';
import { messagesOf } from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

const troubles = [
  ['is down', { kind: 'reset' }, "Belay can't reach the service."],
  [
    'answers HTML',
    { kind: 'html' },
    'A proxy or a maintenance page may have answered in its place.',
  ],
  ['fails', { kind: 'status', status: 502 }, 'The service returned a server error.'],
  [
    'refuses the token',
    { kind: 'status', status: 401 },
    "didn't accept this workspace's API token",
  ],
  ['refuses the unit', { kind: 'status', status: 403 }, "doesn't allow this"],
  [
    'is rate-limiting',
    { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
    'Try again in 7 seconds.',
  ],
] as const;

function expectReferenceLogged(text: string): void {
  const reference = /Reference ([0-9a-f]{8})/.exec(text)?.[1] ?? 'none';
  const lines = world().logged.filter((line) => line.includes(reference));
  expect(lines).toHaveLength(1);
}

describe.each(troubles)('a service that %s', (_name, fault, words) => {
  test('is reported in the response to a search', async () => {
    const { ana, service } = world();
    service.setFault(fault);
    await ana.send('ops', '/belay users ana');
    const answer = await ana.seeMessage(words);
    expect(answer.isEphemeral).toBe(true);
    expect(answer.text).toContain('Nothing was changed.');
    expectReferenceLogged(answer.text);
  });

  test('is reported instead of a form', async () => {
    const { ana, service } = world();
    service.setFault(fault);
    await ana.send('ops', '/belay disable ana.silva@example.com');
    const dialog = await ana.seeDialog("See Belay's message in the conversation.");
    expect(dialog.submit).toBeUndefined();
    const answer = await ana.seeMessage(words);
    expect(answer.text).toContain('Nothing was changed.');
    expectReferenceLogged(answer.text);
  });
});

test('a failure during the submission creates no request, and returns the typed reason', async () => {
  const { ana, service } = world();
  await ana.send('ops', '/belay disable ana.silva@example.com');
  const form = await ana.seeDialog('Reason');
  service.setFault({ kind: 'reset' });
  await ana.submit(form, { reason: { input: 'Left <!here> & for good' } });
  const answer = await ana.seeMessage("Belay can't reach the service.");
  expect(answer.text).toContain('Left &lt;!here&gt; &amp; for good');
  expectReferenceLogged(answer.text);
  expect(messagesOf(ana).filter(({ text }) => /request(s|ed) approval to/.test(text))).toEqual([]);
});

test('shows a progress message while a slow service responds', async () => {
  const { ana, ben, service } = world();
  service.setFault({ kind: 'slow', delayMs: 3300 }, { times: 1 });
  expect(await ana.send('ops', '/belay users ana.silva@example.com')).toEqual({ result: 'ok' });
  await ana.seeMessage('One moment…');
  await ana.seeMessage("Each change needs a second person's approval.");
  expect(messagesOf(ben)).toEqual([]);
});

test('the dialog to choose a user shows that it is loading', async () => {
  const { ana, service } = world();
  await ana.send('ops', '/belay disable kim lee');
  const choice = await ana.seeDialog('2 users match “kim lee”.');
  service.setFault({ kind: 'slow', delayMs: 1500 }, { times: 1 });
  await ana.press(choice, 'Select');
  await ana.seeDialog('Looking up the user…');
  await ana.seeDialog('Reason');
});

test('a form opens immediately and is filled when the service responds', async () => {
  const { ana, service } = world();
  service.setFault({ kind: 'slow', delayMs: 3300 }, { times: 1 });
  await ana.send('ops', '/belay rename ana.silva@example.com');
  const waiting = await ana.seeDialog('Looking up the user…');
  const form = await ana.seeDialog('New name');
  expect(form.viewId).toBe(waiting.viewId);
});
