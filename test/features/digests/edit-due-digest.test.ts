import { addMinutes } from 'date-fns/addMinutes';
import { expect, it } from 'vitest';
import type { FormValues } from '../../../playground/slack/protocol.ts';
import { fridayNine, startDigests } from './start-digests.ts';

type Stage = Awaited<ReturnType<typeof startDigests>>;

async function edit({ ana }: Stage, values: Record<string, string | string[] | null>) {
  const inputs: FormValues = Object.fromEntries(
    Object.entries(values).map(([block, input]) => [block, { input }]),
  );
  await ana.send('ops', '/belay digest');
  await ana.press(await ana.seeMessage('1 digest in this channel'), 'Edit');
  await ana.submit(await ana.seeDialog('Edit digest'), inputs);
  const preview = await ana.seeDialog('This digest, if posted now');
  await ana.submit(preview, {});
  return { ...(await ana.seeMessage('Digest saved: ')), previewed: JSON.stringify(preview.blocks) };
}

/** A digest of Friday at nine that is retried every two minutes because the service is down. */
async function startRetried() {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['new', 'approvals'] });
  stage.service.setFault({ kind: 'status', status: 500 });
  await stage.run();
  expect(stage.texts()).toEqual([]);
  return stage;
}

it.each([
  ['the parts are', { parts: ['approvals'] }],
  ['the time is', { time: '17:30' }],
  ['the days are', { weekdays: ['1'] }],
])('still runs if %s changed during retries', async (_, values) => {
  const stage = await startRetried();
  const saved = await edit(stage, values);
  expect(saved.text).toContain(' · due now');
  expect(saved.previewed).toContain(' · due now');
  stage.service.setFault(undefined);
  stage.at(addMinutes(fridayNine, 2));
  expect(await stage.run()).toBe(1);
  expect(stage.posted()).toHaveLength(1);
  stage.at(addMinutes(fridayNine, 10));
  expect(await stage.run()).toBe(0);
});

it('is listed as due during retries', async () => {
  const { ana, at } = await startRetried();
  at(addMinutes(fridayNine, 15));
  await ana.send('ops', '/belay digest');
  const shown = JSON.stringify((await ana.seeMessage('1 digest in this channel')).blocks);
  expect(shown).toContain('* · due now');
});

it('runs again once if it is changed during a run', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['approvals'] });
  let edited: Promise<unknown> | undefined;
  const openService = async () => {
    edited ??= edit(stage, { parts: ['cleared'] });
    await edited;
    return stage.connected;
  };
  expect(await stage.run({ openService })).toBe(2);
  expect(await stage.run()).toBe(0);
  expect(stage.posted()).toHaveLength(1);
  expect(stage.posted()[0]?.text).toContain('cleared');
});
