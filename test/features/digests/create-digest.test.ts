import { expect, it } from 'vitest';
import type { FormValues } from '../../../playground/slack/protocol.ts';
import { moment } from '../../../src/slack/ui/mrkdwn.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { buttonTexts } from '../../support/ask.ts';
import { startDigests, teamId, thursdayText } from './start-digests.ts';

/** In Berlin. The tests start on Friday at 09:00. */
const mondayNine = new Date('2026-03-09T08:00:00Z');

type Stage = Awaited<ReturnType<typeof startDigests>>;

const inputs = (values: Record<string, string | string[] | null>): FormValues =>
  Object.fromEntries(Object.entries(values).map(([block, input]) => [block, { input }]));

async function openForm({ ana }: Stage) {
  await ana.send('ops', '/belay digest new');
  return ana.seeDialog('Time zone');
}

async function list(person: Stage['ana']) {
  await person.send('ops', '/belay digest');
  return person.seeMessage(/(1 digest|10 digests|No digests) in this channel/);
}

it('creates a digest from a preview that is visible only to the person', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  const empty = await list(ana);
  expect(buttonTexts(empty)).toEqual(['New digest']);
  await ana.press(empty, 'New digest');
  const form = await ana.seeDialog('Time zone');
  expect(JSON.stringify(form.blocks)).toContain(`"initial_value":"Europe/`);

  await ana.submit(form, inputs({ timeZone: 'europe/berlin', weekdays: ['1', '3'] }));
  const preview = await ana.seeDialog('This digest, if posted now');
  expect(JSON.stringify(preview.blocks)).toContain(
    'Mondays and Wednesdays at 9:00 AM (Europe/Berlin)',
  );
  expect(JSON.stringify(preview.blocks)).toContain(
    `next: ${moment(mondayNine, '{date_short_pretty}')}`,
  );
  expect(JSON.stringify(preview.blocks)).toContain(`*Digest* · since ${thursdayText}`);
  expect(buttonTexts(preview)).toEqual(['Back']);
  expect(await stage.store.list({ teamId, channelId: opsChannelId })).toEqual([]);
  expect(stage.posted()).toEqual([]);

  await ana.submit(preview, {});
  await ana.seeMessage('Digest saved: Mondays and Wednesdays at 9:00 AM (Europe/Berlin) · next: ');
  const seen = await list(stage.ben);
  expect(JSON.stringify(seen.blocks)).toContain('Added by <@U0ANA00001>');
  expect(buttonTexts(seen)).toEqual(['Edit', 'End digest', 'New digest']);
  // The first digest covers the day before.
  const coveredUntil = new Date('2026-03-05T08:00:00Z');
  expect(await stage.store.list({ teamId, channelId: opsChannelId })).toMatchObject([
    { coveredUntil },
  ]);
});

it('returns from the preview to the form as it was submitted', async () => {
  const stage = await startDigests();
  const { ana } = stage;
  const form = await openForm(stage);
  await ana.submit(form, inputs({ time: '17:15', parts: ['approvals'] }));
  await ana.press(await ana.seeDialog('This digest, if'), 'Back');
  const again = await ana.seeDialog('Time zone');
  expect(JSON.stringify(again.blocks)).toContain('"initial_time":"17:15"');
  await ana.submit(again, inputs({ time: '17:20' }));
  expect(JSON.stringify((await ana.seeDialog('This digest, if')).blocks)).toContain('at 5:20 PM');
});

it('accepts the city of a time zone, and names the zone', async () => {
  const stage = await startDigests();
  await stage.ana.submit(await openForm(stage), inputs({ timeZone: 'berlin' }));
  const preview = JSON.stringify((await stage.ana.seeDialog('This digest, if')).blocks);
  expect(preview).toContain('at 9:00 AM (Europe/Berlin)');
  expect(preview).toContain('Time zone for “berlin”: Europe/Berlin');
});

it.each([
  ['timeZone', { timeZone: 'Berln' }, 'Did you mean Europe/Berlin?'],
  [
    'timeZone',
    { timeZone: 'est' },
    '“EST” can mean several time zones. Enter a city, for example America/New_York.',
  ],
  ['timeZone', { timeZone: '+02:00' }, 'Unknown time zone.'],
])('shows an error beside %s for %o', async (block, values, words) => {
  const stage = await startDigests();
  await stage.ana.submit(await openForm(stage), inputs(values));
  const { errors } = await stage.ana.see(({ views }) => {
    const top = views.at(-1);
    return top && Object.keys(top.errors ?? {}).length > 0 ? top : undefined;
  });
  expect(errors?.[block]).toContain(words);
});

it("lets an approver change and end somebody else's digest, and shows who did", async () => {
  const stage = await startDigests();
  const { ben } = stage;
  await stage.addDigest();
  const old = await list(ben);
  await ben.press(old, 'Edit');
  const form = await ben.seeDialog('Edit digest');
  await ben.submit(form, inputs({ time: '06:45' }));
  await ben.submit(await ben.seeDialog('This digest, if'), {});
  await ben.seeMessage('Digest saved: every day at 6:45 AM');
  await ben.press(old, 'End digest');
  await ben.seeMessage("changed after the list was shown, so it wasn't ended.");
  await ben.send('ops', '/belay digest');
  const changed = await ben.seeMessage('changed by');
  expect(JSON.stringify(changed.blocks)).toMatch(
    /Added by <@U0ANA00001>, changed by <@U0BEN00002>/,
  );

  expect(JSON.stringify(changed.blocks)).toContain(
    'Every day at 6:45 AM (Europe/Berlin). Belay will no longer post this digest. Posted digests stay.',
  );
  await ben.press(changed, 'End digest');
  await ben.seeMessage('Digest ended: every day at 6:45 AM (Europe/Berlin)');
  await ben.press(changed, 'Edit');
  await ben.seeMessage('This digest was already ended. Nothing was changed.');
});

it('saves a digest whose preview could not be collected', async () => {
  const stage = await startDigests();
  stage.service.setFault({ kind: 'status', status: 500 });
  await stage.ana.submit(await openForm(stage), {});
  const preview = await stage.ana.seeDialog('Preview unavailable');
  await stage.ana.submit(preview, {});
  await stage.ana.seeMessage('Digest saved: ');
});

it('refuses more than ten digests in a channel', async () => {
  const stage = await startDigests();
  for (let count = 0; count < 10; count += 1) await stage.addDigest();
  await stage.ana.submit(await openForm(stage), inputs({ parts: ['approvals'] }));
  await stage.ana.submit(await stage.ana.seeDialog('This digest, if'), {});
  await stage.ana.seeMessage('Nothing was saved. A channel can have at most 10 digests.');
  const full = await list(stage.ana);
  expect(full.text).toMatch(/^\*10 digests in this channel\*\n/);
  expect(buttonTexts(full)).not.toContain('New digest');
});

it("refuses a digest in a channel where Belay can't post", async () => {
  const stage = await startDigests();
  const form = await openForm(stage);
  stage.setInOps(false);
  await stage.ana.submit(form, {});
  await stage.ana.seeDialog("Belay isn't in this channel");
});

it('sends the preview as a message if its modal was closed, with working buttons', async () => {
  const stage = await startDigests();
  const { ana, service } = stage;
  service.setFault({ kind: 'slow', delayMs: 2500 }, { times: 1 });
  const submitted = ana.submit(await openForm(stage), inputs({ time: '17:15', parts: ['new'] }));
  await ana.close(await ana.seeDialog('Preparing the preview'));
  await submitted;
  await ana.press(await ana.seeMessage('This digest, if posted now'), 'Back');
  const form = await ana.seeDialog('Time zone');
  expect(JSON.stringify(form.blocks)).toContain('"initial_time":"17:15"');
  await ana.submit(form, inputs({ parts: ['approvals'] }));
  await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
  await ana.seeMessage('Digest saved: ');
});
