import { describe, expect, it } from 'vitest';
import { type AlertSearch, defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import { findOverlaps } from '../../../src/features/watches/find-overlaps.ts';
import { startWatches } from './watch-stage.ts';

describe('watches that can post the same alert', () => {
  const watch = (id: string, filter: Partial<AlertSearch>) => ({
    id,
    originId: 'o',
    search: { ...defaultSearch, ...filter },
  });

  it.each<[string, Partial<AlertSearch>, Partial<AlertSearch>, boolean]>([
    ['no filter and any other', {}, { severities: ['error'], words: ['vm-12'] }, true],
    ['a severity and a type', { severities: ['error'] }, { types: ['restore_failed'] }, true],
    ['two severities', { severities: ['error'] }, { severities: ['warning'] }, false],
    ['a shared severity', { severities: ['error', 'notice'] }, { severities: ['error'] }, true],
    ['two types', { types: ['tag_conflict'] }, { types: ['restore_failed'] }, false],
    ['a policy and a part of it', { policy: 'Gold' }, { policy: 'gold-vm' }, true],
    ['two policies', { policy: 'Gold' }, { policy: 'Silver' }, false],
    ['words and fewer words', { words: ['vm-12', 'backup'] }, { words: ['VM-1'] }, true],
    ['two volumes', { words: ['vm-12'] }, { words: ['vm-77'] }, false],
    ['a policy and other words', { policy: 'Gold' }, { words: ['vm-77'] }, true],
  ])('%s', (_, one, other, isOverlap) => {
    const [first, second] = [watch('1', one), watch('2', other)];
    expect(findOverlaps(first, [first, second])).toEqual(isOverlap ? [second] : []);
    expect(findOverlaps(second, [first, second])).toEqual(isOverlap ? [first] : []);
  });
});

it('warns of alerts that are posted twice when a watch is added or changed', async () => {
  const { ana, watchesOfOps } = await startWatches();
  await ana.send('ops', '/belay watch all');
  const alone = await ana.seeMessage('Watch added.');
  expect(alone.text).toBe('Watch added. All new alerts are posted in this channel.');
  await ana.send('ops', '/belay watch severity:error');
  const second = await ana.seeMessage('Watch added. New alerts (error) are posted');
  expect(second.text).toContain(
    ':warning: Alerts that also match 1 other watch in this channel are posted twice: all new alerts\n',
  );

  await ana.send('ops', '/belay watch');
  await ana.press(await ana.seeMessage('2 watches in this channel'), 'Edit');
  await ana.submit(await ana.seeDialog('Quiet hours'), { type: { input: ['tag_conflict'] } });
  const changed = await ana.seeMessage('Watch changed.');
  expect(changed.isEphemeral).toBe(true);
  expect(changed.text).toContain('match 1 other watch in this channel are posted twice: ');
  expect((await watchesOfOps()).map(({ search }) => search.types)).toContainEqual(['tag_conflict']);
});

it('names the watch that has the same filter already', async () => {
  const { ana, ben } = await startWatches();
  await ana.send('ops', '/belay watch severity:error');
  await ana.seeMessage('Watch added.');
  await ben.send('ops', '/belay watch severity:error');
  const refused = await ben.seeMessage('This channel already has a watch for new alerts (error)');
  expect(refused.text).toMatch(/, added by <@U0ANA00001> <!date\^.*>\. No watch was added\.$/);

  await ben.send('ops', '/belay watch severity:warning');
  await ben.seeMessage('Watch added.');
  await ben.send('ops', '/belay watch');
  const list = await ben.seeMessage('2 watches in this channel');
  await ben.press(list, 'Edit');
  const form = await ben.seeDialog('Quiet hours');
  const isErrors = JSON.stringify(form.blocks).includes('"initial_options":[{"value":"error"');
  const other = isErrors ? 'warning' : 'error';
  await ben.submit(form, { severity: { input: [other] } });
  const same = await ben.seeMessage(/new alerts .* Nothing was changed\./);
  expect(same.text).toContain(`already has a watch for new alerts (${other}), added by`);
});
