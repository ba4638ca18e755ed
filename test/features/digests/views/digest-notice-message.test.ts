import { expect, it } from 'vitest';
import type { DigestSettings } from '../../../../src/features/digests/digest.ts';
import { digestChangedMessage } from '../../../../src/features/digests/views/digest-notice-message.ts';
import { sampleSettings } from '../store/digest-rows.ts';

const before: DigestSettings = { ...sampleSettings, parts: ['new', 'approvals', 'token'] };
const now = '<@U1> changed a digest here: every day at 13:00 (Europe/Berlin).';

it.each<[Partial<DigestSettings>, string]>([
  [
    { time: '08:00', weekdays: [1, 2, 3] },
    '<@U1> changed a digest here: Monday to Wednesday at 08:00 (Europe/Berlin). Until now: every day at 13:00 (Europe/Berlin).',
  ],
  [
    { parts: ['token', 'compliance', 'cleared'] },
    `${now} Added: how many alerts were cleared · compliance, and how it changed. Left out: new alerts · requests that wait for approval.`,
  ],
  [{ whenEmpty: 'silence' }, `${now} When there is nothing to tell, it posts nothing from now on.`],
])('lists what %j changes', (changes, text) => {
  const after = { ...before, ...changes };
  expect(digestChangedMessage({ before, after }, 'U1').text).toBe(text);
});

it('says that a silent digest posts again', () => {
  const silent: DigestSettings = { ...before, whenEmpty: 'silence' };
  expect(digestChangedMessage({ before: silent, after: before }, 'U1').text).toBe(
    `${now} When there is nothing to tell, it says so from now on.`,
  );
});
