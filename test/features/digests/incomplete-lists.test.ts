import { addSeconds } from 'date-fns/addSeconds';
import { subDays } from 'date-fns/subDays';
import { subMinutes } from 'date-fns/subMinutes';
import { expect, it } from 'vitest';
import type { DigestPart } from '../../../src/features/digests/digest.ts';
import { textsOf } from '../message-parts.ts';
import { fridayNine, startDigests, thursdayText } from './start-digests.ts';

/**
 * A service with more cleared alerts than a digest reads, all cleared at the same moment, and an older
 * active one.
 */
async function startBuried(clearedAt: Date) {
  const stage = await startDigests({ pageSize: 1 });
  const { alerts, putAlert } = stage.service;
  const [sample] = alerts(stage.portal.id);
  if (!sample) throw new Error('the service has no alert');
  const put = (id: string, status: string, at: Date) => {
    const time = at.toISOString();
    const times = { raised_timestamp: time, updated_timestamp: time };
    const cleared = status === 'cleared' ? { cleared_timestamp: time } : {};
    putAlert(stage.portal.id, { ...sample, id, status, severity: 'error', ...times, ...cleared });
  };
  for (const { id } of alerts(stage.portal.id)) put(id, 'cleared', subDays(fridayNine, 20));
  put('buried', 'active', subDays(fridayNine, 10));
  for (let count = 0; count <= 100; count += 1) {
    put(`cleared-${count}`, 'cleared', addSeconds(clearedAt, count / 10));
  }
  const digestOf = async (...parts: DigestPart[]) => {
    await stage.addDigest({ parts, whenEmpty: 'silence' });
    await stage.run();
    const [message] = stage.posted();
    return { text: message?.text, sections: textsOf(message?.blocks) };
  };
  return { ...stage, digestOf };
}

it('does not report that nothing is open if the list is incomplete', async () => {
  const { digestOf } = await startBuried(subDays(fridayNine, 2));
  const { text, sections } = await digestOf('new', 'open');
  expect(sections[0]).toContain(
    `:bar_chart: *Digest* · since ${thursdayText}\n0 new alerts · no active alerts found\n`,
  );
  expect(sections[0]).toMatch(
    /\n:hourglass: Belay stopped after the newest 100 alerts, back to <!date.*>\. Older alerts weren't checked\.$/,
  );
  expect(text).toContain('Belay stopped after the newest 100 alerts');
});

it('also reports that there may be more new and cleared alerts', async () => {
  const { digestOf } = await startBuried(subMinutes(fridayNine, 10));
  const { sections } = await digestOf('new', 'cleared');
  expect(sections[0]).toContain('\nNo new alerts found · at least 100 cleared\n');
});

it('reports exact counts if it has read back to the last digest', async () => {
  const { digestOf, posted } = await startBuried(subDays(fridayNine, 2));
  await digestOf('new', 'cleared');
  expect(posted()).toEqual([]);
});
