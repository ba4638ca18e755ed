import { expect, onTestFinished, test } from 'vitest';
import { createAlertChanger } from '../../../playground/controls/change-alerts.ts';
import { startReferenceService } from '../../../playground/service/start-service.ts';
import { firstOf, testNow } from '../service/call-portal.ts';
import { callLive } from '../service/live/call-live.ts';

async function open() {
  const service = await startReferenceService({ dialect: 'live', now: testNow });
  onTestFinished(() => service.close());
  const portal = firstOf(service.portals);
  const old = service.alerts(portal.id);
  let now = testNow;
  const changeAlerts = createAlertChanger({ service, portal, clock: () => now });
  return {
    service,
    portal,
    old,
    changeAlerts,
    /** The alerts that did not exist at the start, in the order in which they were raised. */
    raised: () => service.alerts(portal.id).slice(old.length),
    later: () => {
      now = new Date(now.getTime() + 60_000);
      return now.toISOString();
    },
  };
}

test('an alert is raised at the current time, and described by its resource', async () => {
  const { changeAlerts, raised, later } = await open();
  const now = later();
  const answer = changeAlerts({ change: 'raise', count: 1 });
  const [alert] = raised();
  expect(alert).toMatchObject({
    status: 'active',
    raised_count: 1,
    notes: '',
    raised_timestamp: now,
    updated_timestamp: now,
    cleared_timestamp: null,
  });
  const what = `${alert?.details?.cause}, ${alert?.primary_entity?.value} (${alert?.severity})`;
  expect(answer).toEqual({ said: `Raised: ${what}.` });
});

test('a storm has many kinds of alerts, each with its own id', async () => {
  const { changeAlerts, raised, old } = await open();
  for (let time = 0; time < 5; time += 1) {
    expect(changeAlerts({ change: 'raise', count: 100 })).toEqual({ said: 'Raised 100 alerts.' });
  }
  expect(raised()).toHaveLength(500);
  expect(new Set([...old, ...raised()].map(({ id }) => id)).size).toBe(old.length + 500);
  expect(new Set(raised().map(({ type }) => type)).size).toBeGreaterThan(4);
  expect(new Set(raised().map(({ severity }) => severity))).toEqual(new Set(['error', 'warning']));
  expect(new Set(raised().map((alert) => alert.parent_entity?.value)).size).toBeGreaterThan(4);
});

test('the newest active alert is raised again, or cleared', async () => {
  const { changeAlerts, raised, later } = await open();
  changeAlerts({ change: 'raise', count: 3 });
  const [first, second, third] = raised();
  const recurredAt = later();
  expect(changeAlerts({ change: 'raise-again' })).toMatchObject({
    said: expect.stringContaining('Raised 2 times: '),
  });
  const recurred = { ...third, raised_count: 2, updated_timestamp: recurredAt };
  expect(raised()).toEqual([first, second, recurred]);

  const clearedAt = later();
  const cleared = {
    status: 'cleared',
    updated_timestamp: clearedAt,
    cleared_timestamp: clearedAt,
  };
  changeAlerts({ change: 'clear' });
  expect(raised()).toEqual([first, second, { ...recurred, ...cleared }]);
  changeAlerts({ change: 'clear' });
  expect(raised()).toMatchObject([first, cleared, cleared]);
});

test('existing alerts are not changed', async () => {
  const { changeAlerts, service, portal, old } = await open();
  const error = 'No active alert was raised here. Raise one first.';
  expect(changeAlerts({ change: 'clear' })).toEqual({ error });
  expect(changeAlerts({ change: 'raise-again' })).toEqual({ error });
  expect(service.alerts(portal.id)).toEqual(old);
});

test('raised alerts are visible in every organizational unit', async () => {
  const { changeAlerts, portal, raised } = await open();
  changeAlerts({ change: 'raise', count: 1 });
  const [alert] = raised();
  for (const { id } of portal.organizationalUnits) {
    const headers = { 'x-clumio-organizationalunit-context': id };
    const reply = await callLive(portal, `/alerts/individual/${alert?.id}`, { headers });
    expect(reply.status).toBe(200);
  }
});
