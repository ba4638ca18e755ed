import { subDays } from 'date-fns/subDays';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/tables.ts';
import { openAnyDatabase } from '../support/databases.ts';
import {
  createPlaygroundStage,
  desktopAndPhone,
  type PlaygroundStage,
} from './playground-stage.ts';
import { expectFitting, message, press, say, shoot } from './seen.ts';
import { addChecker, violationsIn } from './violations.ts';

let stage: PlaygroundStage;
let db: Database;

beforeAll(async () => {
  stage = await createPlaygroundStage({
    async openDatabase() {
      const opened = await openAnyDatabase();
      db = opened.db;
      return opened;
    },
  });
  await storeReadings();
});

afterAll(async () => {
  await stage?.close();
});

/** Readings of the last 90 days, except for three days. */
async function storeReadings(): Promise<void> {
  const { service } = stage;
  const [portal] = service.portals;
  const connection = await db
    .selectFrom('connection')
    .select(['id', 'team_id'])
    .executeTakeFirstOrThrow();
  const now = new Date();
  const rows = service.policies(portal?.id ?? '').flatMap(({ id, name }, index) =>
    Array.from({ length: 90 }, (_, daysAgo) => ({
      connection_id: connection.id,
      team_id: connection.team_id,
      policy_id: id,
      policy_name: name,
      taken_at: subDays(now, daysAgo + 1),
      compliant_count: 90,
      non_compliant_count: (index * 7 + daysAgo * 3) % 11,
      unprotected_count: index % 2,
      deactivated_count: 0,
      protected_count: 90,
    })).filter((_, daysAgo) => daysAgo < 2 || daysAgo > 4),
  );
  await db.insertInto('compliance_sample').values(rows).execute();
}

async function showHistory(page: Page, name: string): Promise<void> {
  await say(page, '/belay compliance');
  const list = message(page, 'Compliance: ');
  const chart = list.getByRole('img', { name: 'Noncompliant and unprotected volumes (bar chart)' });
  await chart.waitFor();
  // The figures are there for those who can't see the drawing.
  expect(await chart.locator('desc').textContent()).toMatch(/Noncompliant: \w+ \d+ \d+, /);
  await expectFitting(page, `${name}-all-policies`);
  await list.getByRole('table').scrollIntoViewIfNeeded();
  await list.evaluate((article) => article.scrollIntoView({ block: 'start' }));
  await shoot(page, `${name}-all-policies-top`);

  await say(page, '/belay compliance gold');
  const gold = message(page, 'Gold · ');
  await gold.getByText('Last 7 days', { exact: true }).first().waitFor();
  await press(gold, 'Last 90 days');
  await gold.getByText('Last 90 days · one reading every 7 days').waitFor();
  await gold.getByRole('img', { name: 'Noncompliant volumes (bar chart)' }).waitFor();
  expect(await gold.getByRole('row').count()).toBe(1 + 13);
  await expectFitting(page, `${name}-gold-90-days`);
}

test.each(desktopAndPhone)('Ana sees how compliance changed, on %s', async (name, size) => {
  const page = await stage.open('ana', size);
  await showHistory(page, `chart-${name}`);
  await addChecker(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violationsIn(page, '.workspace'), colorScheme).toEqual([]);
    await shoot(page, `chart-${name}-${colorScheme}`);
  }
  await page.close();
});

test('no page had an error', () => {
  expect(stage.faults).toEqual([]);
});
