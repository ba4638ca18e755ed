import { expect, it } from 'vitest';
import { firstOf, messageOf, testNow } from '../call-portal.ts';
import { callLive, openLive } from './call-live.ts';

const later = new Date(testNow.getTime() + 60_000);

async function openWithAlert(status: string) {
  const { service, portal, portalId } = await openLive({ clock: () => later });
  const alert = firstOf(service.alerts(portalId).filter((one) => one.status === status));
  const path = `/alerts/individual/${alert.id}`;
  const change = (json: unknown) => callLive(portal, path, { method: 'PATCH', json });
  const stored = () => firstOf(service.alerts(portalId).filter(({ id }) => id === alert.id));
  return { alert, change, stored };
}

it('replaces the notes', async () => {
  const { alert, change, stored } = await openWithAlert('active');
  const reply = await change({ notes: 'Ben looks at it', status: null });
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ id: alert.id, notes: 'Ben looks at it', status: 'active' });
  expect(stored()).toEqual({ ...alert, notes: 'Ben looks at it' });
});

it('clears an alert permanently', async () => {
  const { change, stored } = await openWithAlert('active');
  const reply = await change({ notes: 'done', status: 'cleared' });
  const cleared_timestamp = later.toISOString();
  expect(reply.json).toMatchObject({ status: 'cleared', cleared_timestamp });
  expect((await change({ notes: 'no', status: 'active' })).status).toBe(400);
  expect(stored()).toMatchObject({ status: 'cleared', notes: 'done' });
});

it('ignores clearing a cleared alert, but still updates the notes', async () => {
  const { alert, change, stored } = await openWithAlert('cleared');
  expect((await change({ notes: 'again', status: 'cleared' })).status).toBe(200);
  expect(stored()).toEqual({ ...alert, notes: 'again' });
});

it.each([
  { status: 'cleared' },
  { notes: null },
  { notes: 'x'.repeat(1024) },
  { notes: '', status: 'active' },
  { notes: '', severity: 'error' },
])('rejects %j', async (json) => {
  const { alert, change, stored } = await openWithAlert('active');
  const reply = await change(json);
  expect(reply.status).toBe(400);
  expect(messageOf(reply)).not.toBe('');
  expect(stored()).toEqual(alert);
});
