import { expect, it } from 'vitest';
import { alertSearchSchema, defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import {
  chosenSettings,
  digestForm,
  readDigestForm,
} from '../../../src/features/digests/views/digest-form.ts';
import { decodeValue, encodeValue } from '../../../src/slack/ui/codec.ts';
import { readFields } from '../../../src/slack/ui/form.ts';
import { parseViewValues } from '../../../src/slack/ui/view-values.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { buttonTexts } from '../../support/ask.ts';
import { buttonsOf, textsOf } from '../message-parts.ts';
import { startDigests, teamId, thursdayText } from './start-digests.ts';
import { sampleSettings } from './store/digest-rows.ts';

const search = { ...defaultSearch, severities: ['error'], words: ['quux-'] };

const filled = {
  severity: { input: ['error'] },
  policy: { input: 'Gold' },
  words: { input: 'quux-' },
};

it('includes only the alerts that match, and names the filter', async () => {
  const stage = await startDigests();
  for (let number = 1; number <= 7; number += 1) {
    stage.raise({ id: `e${number}`, severity: 'error', name: `quux-${number}` });
  }
  stage.raise({ id: 'other', severity: 'error', name: 'vm-1' });
  stage.raise({ id: 'warning', severity: 'warning', name: 'quux-8' });
  const cleared = { status: 'cleared', cleared_timestamp: '2026-03-06T07:30:00Z' } as const;
  stage.raise({ id: 'c1', severity: 'error', name: 'quux-9', ...cleared });
  stage.raise({ id: 'c2', severity: 'error', name: 'vm-9', ...cleared });
  await stage.addDigest({ parts: ['new', 'open', 'cleared'], search });
  await stage.run();
  const [digest] = stage.posted();
  const texts = textsOf(digest?.blocks);
  expect(texts[0]).toMatch(/\n7 new alerts \(7 errors\) · 0 still active · 1 cleared$/);
  expect(texts[0]).toContain(`since ${thursdayText}`);
  expect(texts[1]).toBe('Filters: error, “quux-”');
  expect(buttonsOf(digest?.blocks).at(-1)).toMatchObject({
    text: { text: 'View alerts' },
    accessibility_label: 'View alerts: /belay alerts severity:error quux-',
  });
  expect(texts.join('\n')).not.toMatch(/vm-|quux-8/);
  expect(digest?.text).toContain('Filters: error, “quux-”');
});

it('says that nothing matches, rather than that nothing is active', async () => {
  const stage = await startDigests();
  await stage.addDigest({ parts: ['open'], search: { ...search, words: ['no such volume'] } });
  await stage.run();
  expect(stage.posted()[0]?.text).toContain('No active alerts match');
});

it('offers the filter in the form, and shows it in the preview, the list and the channel', async () => {
  const stage = await startDigests();
  const { ana, store } = stage;
  await ana.send('ops', '/belay digest new');
  await ana.submit(await ana.seeDialog('Time zone'), filled);
  const preview = await ana.seeDialog('This digest, if posted now');
  const filters = 'Filters: error, policy “Gold”, “quux-”';
  expect(textsOf(preview.blocks)).toContain(filters);

  await ana.press(preview, 'Back');
  const again = await ana.seeDialog('Time zone');
  const fields = JSON.stringify(again.blocks);
  expect(fields).toContain('"initial_value":"Gold"');
  expect(fields).toContain('"initial_value":"quux-"');
  await ana.submit(again, {});
  await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
  expect((await ana.seeMessage('Digest saved: ')).text).toContain(filters);
  const saved = { ...search, policy: 'Gold' };
  expect(await store.list({ teamId, channelId: opsChannelId })).toMatchObject([
    { settings: { search: saved } },
  ]);
  await stage.run();
  expect(await ana.seeMessage('added a digest')).toMatchObject({
    text: expect.stringContaining(filters),
  });

  await ana.send('ops', '/belay digest');
  const list = await ana.seeMessage('1 digest in this channel');
  expect(textsOf(list.blocks).join('\n')).toContain(`\n${filters}\n`);
  await ana.press(list, 'Edit');
  await ana.submit(await ana.seeDialog('Edit digest'), { policy: { input: '' } });
  await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
  await ana.seeMessage(/Digest saved: [^"]* · Filters: error, “quux-”/);
  await stage.run();
  await ana.seeMessage(/changed a digest: [^"]* · Filters: error, “quux-”/);

  await ana.send('ops', '/belay digest');
  await ana.press(await ana.seeMessage(/in this channel.*Filters: error, “quux-”/s), 'Edit');
  const none = { severity: { input: [] }, words: { input: '' } };
  await ana.submit(await ana.seeDialog('Edit digest'), none);
  await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
  await ana.seeMessage(/Digest saved: [^·]* · next: [^·]*"/);
  await stage.run();
  await ana.seeMessage(/changed a digest: [^"]* · Filters removed/);
});

/** The form with everything chosen, and these words. */
function readForm(words: string) {
  const options = (values: string[]) => ({
    input: { selected_options: values.map((value) => ({ value })) },
  });
  const values = parseViewValues({
    time: { input: { selected_time: '17:15' } },
    weekdays: options(['1', '2', '3', '4', '5', '6', '7']),
    timeZone: { input: { value: 'America/Argentina/ComodRivadavia' } },
    parts: options(sampleSettings.parts),
    whenEmpty: { input: { selected_option: { value: 'heartbeat' } } },
    words: { input: { value: words } },
  });
  return readDigestForm(readFields(digestForm.fields, values));
}

it('refuses a filter that the buttons of the preview could not carry', () => {
  const wordsOf = (count: number) => Array.from({ length: count }, (_, index) => `volume-${index}`);
  let count = 1;
  while (!('errors' in readForm(wordsOf(count + 1).join(' ')))) count += 1;
  const longest = readForm(wordsOf(count).join(' '));
  if (!('settings' in longest)) throw new Error('the form was refused');
  expect(longest.settings.search.words).toEqual(wordsOf(count));
  const [channelId, digestId] = ['C'.repeat(20), '00000000-0000-4000-8000-000000000000'];
  const value = encodeValue({ channelId, digestId, version: 1_000_000, ...longest });
  expect(decodeValue(chosenSettings, value)?.settings).toEqual(longest.settings);

  const words = wordsOf(count + 1);
  expect(alertSearchSchema.safeParse({ ...defaultSearch, words }).success).toBe(true);
  expect(readForm(words.join(' '))).toMatchObject({
    errors: { words: expect.stringContaining('This filter is too long.') },
    fields: { search: { words } },
  });
});

it('shows an error beside a word that is too long, and what was typed', async () => {
  const { ana } = await startDigests();
  await ana.send('ops', '/belay digest new');
  const form = await ana.seeDialog('Time zone');
  expect(buttonTexts(form)).toEqual([]);
  await ana.submit(form, { words: { input: 'x'.repeat(101) } });
  const { errors } = await ana.see(({ views }) => {
    const top = views.at(-1);
    return top && Object.keys(top.errors ?? {}).length > 0 ? top : undefined;
  });
  expect(errors?.words).toBe('At most 100 characters for each word.');
});
