import { addDays } from 'date-fns/addDays';
import { expect, it } from 'vitest';
import type { PolicyChange } from '../../../../src/features/digests/collect/compare-policies.ts';
import type { DigestContents } from '../../../../src/features/digests/collect/digest-contents.ts';
import { digestMessage } from '../../../../src/features/digests/views/digest-message.ts';
import { alertMadeOf } from '../../alerts/hostile-alert.ts';
import { textsOf } from '../../message-parts.ts';
import { fridayNine as now } from '../start-digests.ts';
import { sampleSettings as settings } from '../store/digest-rows.ts';

/** Characters that become several times as long when they are escaped. */
const hostileNames = ['&', '<', '>'].map((character) => character.repeat(100));

function messageWith(changes: PolicyChange[]) {
  const group = {
    alerts: hostileNames.map(alertMadeOf),
    stopped: { examinedCount: 100, backTo: undefined },
  };
  const contents: DigestContents = {
    newAlerts: group,
    openAlerts: group,
    clearedAlerts: undefined,
    compliance: {
      result: 'read',
      readings: [],
      unreadCount: 0,
      failedCount: 0,
      incomparableCount: 0,
      hasBaseline: true,
      changes,
    },
    changedPolicies: undefined,
    pendingRequestCount: 2,
    tokenExpiresAt: addDays(now, 9),
    unreviewedRuns: { count: 2, link: '<https://example.com/p1|View run>' },
  };
  const [since, lateFrom] = [addDays(now, -1), now];
  return digestMessage({ settings, contents, since, now, lateFrom, channelId: 'C1' });
}

const counts = (['nonCompliantCount', 'unprotectedCount', 'compliantCount'] as const).map(
  (count) => ({ count, from: 100_000, to: 200_000 }),
);
const hostile = messageWith(Array(5).fill({ kind: 'changed', name: hostileNames[0], counts }));

it.each([
  ['blocks', textsOf(hostile.blocks).join('\n')],
  ['text', hostile.text],
])('shows in its %s what needs action, even with long policy names', (_, reported) => {
  const lines = reported.split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^:hourglass: .* weren't checked\.$/));
  expect(lines).toContain('*Pending requests* · 2 waiting for approval');
  expect(lines).toContain(
    '⚠ *2 break-glass runs need review* · <https://example.com/p1|View run> · `/belay requests`',
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^:warning: \*API token\* · expires <!date.*`\/belay setup`\.$/),
  );
  expect(reported).toContain('Late: due ');
  expect(reported).toContain('5 policies changed');
});
