import { expect, it } from 'vitest';
import { startChild } from '../../../support/child.ts';

/** A process has one time zone, and a test runs in a thread of one. */
const program = `
  const { splitByPeriod } = await import('./src/features/digests/collect/collect-alerts.ts');
  const [since, now] = [new Date('2026-03-05T08:00:00Z'), new Date('2026-03-06T08:00:00Z')];
  const alerts = ['2026-03-05T07:00:00', '2026-03-05T09:00:00'].map((raisedTimestamp) => ({
    id: raisedTimestamp, raisedTimestamp, otherFields: {},
  }));
  const { newAlerts, openAlerts } = splitByPeriod({ alerts }, { since, now });
  const idsOf = ({ alerts }) => alerts.map(({ id }) => id);
  console.log(JSON.stringify({ new: idsOf(newAlerts), open: idsOf(openAlerts) }));
`;

it.each(['Asia/Tokyo', 'America/New_York'])(
  'reads times without an offset as UTC in %s',
  async (TZ) => {
    const child = startChild(process.execPath, ['--input-type=module', '-e', program], {
      env: { TZ },
    });
    const { stdout, stderr } = await child.ended;
    expect(JSON.parse(stdout || stderr)).toEqual({
      new: ['2026-03-05T09:00:00'],
      open: ['2026-03-05T07:00:00'],
    });
  },
);
