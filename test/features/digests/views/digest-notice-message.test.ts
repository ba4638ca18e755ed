import { expect, it } from 'vitest';
import { defaultSearch } from '../../../../src/features/alerts/alert-search.ts';
import type { DigestSettings } from '../../../../src/features/digests/digest.ts';
import { digestChangedMessage } from '../../../../src/features/digests/views/digest-notice-message.ts';
import { sampleSettings } from '../store/digest-rows.ts';

const before: DigestSettings = { ...sampleSettings, parts: ['new', 'approvals', 'token'] };
const manage = 'Manage digests with `/belay digest`';
const now = '<@U1> changed a digest: every day at 1:00 PM (Europe/Berlin)';

it.each<[Partial<DigestSettings>, string]>([
  [
    { time: '08:00', weekdays: [1, 2, 3] },
    '<@U1> changed a digest: Monday to Wednesday at 8:00 AM (Europe/Berlin) · Before: every day at 1:00 PM (Europe/Berlin)',
  ],
  [
    { parts: ['token', 'compliance', 'cleared'] },
    `${now} · Added: Number of cleared alerts, compliance and its changes · Removed: New alerts, pending requests`,
  ],
  [{ whenEmpty: 'silence' }, `${now} · If there's nothing to report: Don't post`],
  [
    { search: { ...defaultSearch, severities: ['error'], words: ['<b>'] } },
    `${now} · Filters: error, “&lt;b&gt;”`,
  ],
])('lists what %j changes', (changes, text) => {
  const after = { ...before, ...changes };
  expect(digestChangedMessage({ before, after }, 'U1').text).toBe(`${text}\n${manage}`);
});

it('says that a silent digest posts again', () => {
  const silent: DigestSettings = { ...before, whenEmpty: 'silence' };
  expect(digestChangedMessage({ before: silent, after: before }, 'U1').text).toBe(
    `${now} · If there's nothing to report: Post one line\n${manage}`,
  );
});
