import { expect, it } from 'vitest';
import { firstOf, testNow } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive, walkLive } from './call-live.ts';

const path = '/backups/aws/ebs-volumes';
const secondVersion = {
  headers: { accept: 'application/api.clumio.backup-aws-ebs-volumes=v2+json' },
};

it('lists the backups of a volume, newest first', async () => {
  const { service, portal, portalId } = await openLive();
  const volume = firstOf(service.volumes(portalId));
  const byVolume = `${filtered(path, { volume_id: { $eq: volume.id } })}&limit=100`;
  const { items } = (await listLive(portal, byVolume))._embedded;
  expect(items.length).toBeGreaterThan(5);
  const times = items.map(({ start_timestamp }) => String(start_timestamp));
  expect(times).toEqual(times.toSorted().reverse());
  expect(times[0]).toBe(volume.last_backup_timestamp);
  for (const item of items) {
    expect(item).toMatchObject({ volume_id: volume.id, aws_region: volume.aws_region });
    expect(Date.parse(String(item.expiration_timestamp))).toBeGreaterThan(testNow.getTime());
  }
  const ascending = await walkLive(portal, `${byVolume}&sort=start_timestamp`);
  expect(ascending.map(({ id }) => id)).toEqual(items.map(({ id }) => id).toReversed());
});

it('filters by time', async () => {
  const { service, portal, portalId } = await openLive();
  const [after, until] = ['2026-02-20T00:00:00Z', '2026-02-25T00:00:00Z'];
  const byTime = filtered(path, { start_timestamp: { $gt: after, $lte: until } });
  const expected = service.backups(portalId).filter(({ start_timestamp }) => {
    const start = Date.parse(start_timestamp);
    return start > Date.parse(after) && start <= Date.parse(until);
  });
  expect(await listLive(portal, byTime)).toMatchObject({ total_count: expected.length });
});

it('has backups of deleted volumes, of both types, in two tiers', async () => {
  const { service, portalId } = await openLive();
  const backups = service.backups(portalId);
  const deleted = service.volumes(portalId).filter((volume) => volume.deletion_timestamp);
  for (const { id } of deleted) {
    expect(backups.filter(({ volume_id }) => volume_id === id).length).toBeGreaterThan(0);
  }
  expect(new Set(backups.map(({ type }) => type)).size).toBe(2);
  expect(new Set(backups.map(({ backup_tier }) => backup_tier))).toEqual(
    new Set(['standard', 'lite', '']),
  );
  expect(backups.length).toBeLessThan(2_000);
});

it('renders both versions, whose types mean different things', async () => {
  const { service, portal, portalId } = await openLive({ clock: () => testNow });
  const backup = firstOf(service.backups(portalId));
  const first = await callLive(portal, `${path}/${backup.id}`);
  expect(first.json).toMatchObject({ id: backup.id, type: backup.volume_type });
  expect(first.json).not.toHaveProperty('backup_tier');
  const second = await callLive(portal, `${path}/${backup.id}`, secondVersion);
  expect(second.json).toEqual({
    ...backup,
    _links: {
      _self: { href: `${path}/${backup.id}`, type: 'get', templated: false },
      'restore-aws-ebs-volume': {
        href: '/restores/aws/ebs-volumes',
        type: 'post',
        templated: false,
      },
    },
  });
});

it('reads an expired backup without a link to restore it, and no removed one', async () => {
  const { service, portal, portalId } = await openLive({ clock: () => testNow });
  const { id } = firstOf(service.backups(portalId));
  service.changeBackup(portalId, id, { expiration_timestamp: testNow.toISOString() });
  const reply = await callLive(portal, `${path}/${id}`, secondVersion);
  expect(reply.status).toBe(200);
  expect(reply.text).not.toContain('restore-aws-ebs-volume');
  service.removeBackup(portalId, id);
  expect((await callLive(portal, `${path}/${id}`)).status).toBe(404);
});

it.each([
  `${path}?sort=size`,
  filtered(path, { start_timestamp: { $gte: '2026-02-20T00:00:00Z' } }),
  filtered(path, { type: { $eq: 'aws_snapshot' } }),
])('rejects %s', async (target) => {
  const { portal } = await openLive();
  expect((await callLive(portal, target)).status).toBe(400);
});
