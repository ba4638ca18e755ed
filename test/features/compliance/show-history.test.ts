import { subDays } from 'date-fns/subDays';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../playground/slack/protocol.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createComplianceSamples } from '../../../src/features/compliance/store/compliance-samples.ts';
import { shareWorldWithDatabase } from '../../requests/world-with-database.ts';
import { buttonsOf, rowsOf, textsOf } from '../message-parts.ts';
import { startCompliance } from './start-compliance.ts';

/** The chart of a message: title, categories, and each series with its values. */
function chartOf({ blocks = [] }: Message) {
  const block = blocks.find(({ type }) => type === 'data_visualization');
  if (block?.type !== 'data_visualization' || block.chart.type === 'pie') return undefined;
  const { series, axis_config } = block.chart;
  return {
    title: block.title,
    categories: axis_config.categories,
    series: series.map(({ name, data }) => [name, ...data.map(({ value }) => value)]),
  };
}

it('shows how the noncompliant volumes of all policies changed, and a chart of days', async () => {
  const stage = await startCompliance();
  const same = (_: string, count: number) => count;
  await stage.read(
    7,
    stage.readings((name, count) => (name === 'Gold' ? count + 3 : count)),
  );
  await stage.read(3, stage.readings(same));
  await stage.read(
    1,
    stage.readings((name, count) => (name === 'Silver' ? count - 2 : count)),
  );
  const shown = await stage.ask('/belay compliance', 'Compliance: ');
  expect(shown.text).toContain(
    'Noncompliant volumes: +2 since yesterday · −3 in 7 days · no data from 30 days ago',
  );
  const chart = chartOf(shown);
  expect(chart?.categories).toEqual(['Nov 19', 'Nov 21', 'Nov 22']);
  expect(chart?.title).toBe('Noncompliant and unprotected volumes');
  const [noncompliant] = chart?.series ?? [];
  expect(noncompliant).toEqual(['Noncompliant', 9, 7, 9]);
  const rows = rowsOf(shown.blocks);
  expect(rows.slice(0, 2).map(([name, count]) => [name, count])).toEqual([
    ['Legal hold', '6'],
    ['Silver', '2 (+2)'],
  ]);
  expect(shown.text).toContain('Silver: noncompliant (since yesterday) 2 (+2)');
  expect(shown.text).toContain('\nNoncompliant: Nov 19 9 · Nov 21 7 · Nov 22 9');
});

it.each(['documented', 'live'] as const)(
  'shows another period when its button is pressed, and keeps it on other pages (%s)',
  async (dialect) => {
    const stage = await startCompliance({ dialect });
    for (const daysAgo of [1, 20, 60])
      await stage.read(
        daysAgo,
        stage.readings(() => daysAgo),
      );
    const week = await stage.ask('/belay compliance', 'Last 7 days');
    expect(buttonsOf(week.blocks).map(({ text }) => text)).toEqual(
      ['Next', 'Refresh', 'Last 30 days', 'Last 90 days'].map((text) => ({
        type: 'plain_text',
        text,
        emoji: false,
      })),
    );
    await stage.ana.press(week, 'Last 90 days');
    const months = await stage.ana.seeMessage('*Last 90 days*');
    expect(months.messageTs).toBe(week.messageTs);
    expect(chartOf(months)?.categories).toEqual(['Sep 27', 'Nov 8', 'Nov 22']);
    await stage.ana.press(months, 'Next');
    const next = await stage.ana.seeMessage('Policies 11-12 of 12');
    expect(textsOf(next.blocks)).toContain('*Last 90 days* · one reading every 7 days');
  },
);

it('shows the history of one policy with a table, gaps included', async () => {
  const stage = await startCompliance();
  const gold = { id: stage.idOf('Gold'), name: 'Gold' };
  const statistics = { nonCompliantCount: 4, unprotectedCount: 1, compliantCount: 85 };
  await stage.read(5, [{ policy: gold, statistics }]);
  await stage.read(2, [{ policy: gold, statistics, isCarriedOver: true }]);
  const shown = await stage.ask('/belay compliance gold', ' *Gold* · ');
  expect(textsOf(shown.blocks)[1]).toContain(
    'Noncompliant volumes: no earlier data to compare with',
  );
  expect(chartOf(shown)?.categories).toEqual(['Nov 17', 'Nov 22']);
  expect(rowsOf(shown.blocks).map(([day, count]) => `${day} ${count}`)).toEqual([
    ...['Nov 22 0', 'Nov 21 –', 'Nov 20 –', 'Nov 19 –', 'Nov 18 –', 'Nov 17 4', 'Nov 16 –'],
  ]);
  expect(JSON.stringify(shown.blocks)).toContain('– = no data');
  await stage.ana.press(shown, 'Last 30 days');
  const month = await stage.ana.seeMessage('*Last 30 days*');
  expect(rowsOf(month.blocks)).toHaveLength(15);
});

it('leaves today out of the sums while a policy is unavailable', async () => {
  const stage = await startCompliance();
  for (const daysAgo of [1, 2])
    await stage.read(
      daysAgo,
      stage.readings((_, count) => count),
    );
  const pathPrefix = `/policies/definitions/${stage.idOf('Legal hold')}/`;
  stage.service.setFault({ kind: 'status', status: 500 }, { pathPrefix });
  const shown = await stage.ask('/belay compliance', 'Compliance: ');
  expect(chartOf(shown)?.categories).toEqual(['Nov 20', 'Nov 21']);
  expect(shown.text).toContain(
    'Noncompliant volumes: unchanged since yesterday · no data from 7 days ago',
  );
  expect(shown.text).toContain('up to 1 policy not compared');
});

it.each([
  { dialect: 'documented', listsPolicies: false },
  { dialect: 'live', without: ['list-policy-definitions'] },
] as const)(
  'has a history of the policies that Belay knows, where the service lists none ($dialect)',
  async (options) => {
    const stage = await startCompliance(options);
    await stage.remember('Gold');
    await stage.remember('Silver');
    for (const [daysAgo, count] of [
      [30, 9],
      [7, 6],
      [1, 2],
      [0, 4],
    ] as const) {
      stage.setNoncompliant('Gold', count);
      await stage.sample(daysAgo);
    }
    const gold = await stage.ask('/belay compliance gold', ' *Gold* · ');
    expect(gold.text).toContain(
      'Noncompliant volumes: +2 since yesterday · −2 in 7 days · −5 in 30 days',
    );
    expect(chartOf(gold)?.categories).toEqual(['Nov 21', 'Nov 22']);
    const all = await stage.ask('/belay compliance', 'Compliance: ');
    expect(all.text).toContain('+2 since yesterday · −2 in 7 days · −5 in 30 days');
    expect(rowsOf(all.blocks).map(([name]) => name)).toEqual(['Gold', 'Silver']);
    expect(all.text).toContain("This service doesn't list its policies. This list contains");
  },
);

it('says so while there is nothing to draw', async () => {
  const stage = await startCompliance();
  const shown = await stage.ask('/belay compliance', 'Compliance: ');
  expect(chartOf(shown)).toBeUndefined();
  expect(shown.text).toContain('no earlier data to compare with');
  expect(JSON.stringify(shown.blocks)).toContain(
    'The chart is available after two days with data.',
  );
});

describe('in the modal of an alert', () => {
  const { world, db } = shareWorldWithDatabase({ dialect: 'live' });

  it('shows the history of the policy as text', async () => {
    const { ana, service, portal } = world();
    const policies = service.policies(portal.id).map(({ id, name }) => ({ id, name }));
    const named = service
      .alerts(portal.id)
      .map(({ parent_entity: parent }) => parent)
      .find((parent) => parent?.type === 'policy');
    const connection = await db()
      .selectFrom('connection')
      .select(['team_id as teamId', 'id as connectionId'])
      .executeTakeFirstOrThrow();
    const now = new Date();
    for (const daysAgo of [1, 3]) {
      const statistics = { nonCompliantCount: 1000 + daysAgo, compliantCount: 85 };
      await createComplianceSamples(db(), serveAll).save(connection, {
        at: subDays(now, daysAgo),
        nextAt: subDays(now, -1),
        readings: policies.map((policy) => ({ policy, statistics })),
      });
    }

    await ana.send('ops', `/belay alerts policy:"${named?.value}"`);
    await ana.press(await ana.seeMessage('Filters: policy'), 'View details');
    await ana.press(await ana.seeDialog('Alert ID'), 'View policy');
    await ana.press(await ana.seeDialog('Policy ID'), 'View compliance');
    const shown = await ana.seeDialog('*Last 7 days*');
    expect(JSON.stringify(shown.blocks)).toMatch(
      /: noncompliant 1001 · unprotected –.*: noncompliant 1003 · unprotected –/,
    );
    await ana.press(shown, 'Last 30 days');
    await ana.seeDialog('*Last 30 days*');
  });
});
