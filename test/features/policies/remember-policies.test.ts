import { expect, inject, onTestFinished, test } from 'vitest';
import { createAlertReader } from '../../../src/features/policies/remember-policies.ts';
import { createPolicyCatalog } from '../../../src/features/policies/store/policy-catalog.ts';
import { listAlerts } from '../../dataprotection/list-alerts.ts';
import { answerJson, clientOf } from '../../dataprotection/local-server.ts';
import { insertConnection, newTeamId, noon } from '../../requests/store/rows.ts';
import { openFromTemplate } from '../../support/database-template.ts';

const hourMs = 60 * 60_000;

async function alertsNaming(names: string[]) {
  const items = names.map((value, index) => ({
    id: `a-${index}`,
    severity: 'error',
    status: 'active',
    primary_entity: { id: `p-${index}`, type: 'policy', value },
  }));
  const client = await clientOf((_request, response) =>
    answerJson(response, { total_count: items.length, _embedded: { items } }),
  );
  for await (const page of listAlerts(client)) return page.items;
  return [];
}

test('pages of alerts with known policies cost no statement, for an hour', async () => {
  const { db, close } = await openFromTemplate(inject('databaseTemplate'));
  onTestFinished(close);
  const teamId = newTeamId();
  const connection = { teamId, connectionId: await insertConnection(db, teamId) };
  const catalog = createPolicyCatalog(db);
  let [now, asked] = [0, 0];
  const read = createAlertReader({
    clock: () => noon,
    now: () => now,
    remember(known) {
      asked += 1;
      return catalog.remember(known);
    },
  });
  const show = async (...names: string[]) =>
    read({ ...connection, alerts: await alertsNaming(names) });
  await show('Gold', 'Silver');
  for (let page = 0; page < 5; page += 1) await show('Gold', 'Silver');
  expect(asked).toBe(1);
  await show('Gold', 'Silver', 'Bronze');
  await show('Gold plus', 'Silver');
  await show('Gold', 'Silver');
  expect(asked).toBe(4);
  const names = (await catalog.list(connection)).map(({ name }) => name);
  expect(names).toEqual(['Gold', 'Silver', 'Bronze']);
  now = hourMs;
  await show('Gold');
  expect(asked).toBe(5);
});
