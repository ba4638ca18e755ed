import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { firstOf, testNow } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive, walkLive } from './call-live.ts';

const path = '/datasources/aws/ebs-volumes';

describe('EBS volumes', () => {
  let service: ReferenceService;
  const portal = () => firstOf(service.portals);
  const volumes = () => service.volumes(portal().id);
  type Volume = ReturnType<typeof volumes>[number];
  const found = async (filter: unknown, more = '') =>
    (await walkLive(portal(), `${filtered(path, filter)}&limit=100${more}`)).map(({ id }) => id);
  const idsOf = (matching: (volume: Volume) => boolean) =>
    volumes()
      .filter(matching)
      .map(({ id }) => id);
  const exists = ({ deletion_timestamp }: Volume) => deletion_timestamp === null;
  beforeAll(async () => {
    const clock = () => testNow;
    service = await startReferenceService({ dialect: 'live', now: testNow, clock });
  });
  afterAll(() => service.close());

  it('are read by id, the same as in the list', async () => {
    const page = await listLive(portal(), path);
    expect(page).not.toHaveProperty('filter_applied');
    const listed = firstOf(page._embedded.items);
    const { protection, lastAttempt: _, ...stored } = firstOf(volumes());
    expect(listed).toMatchObject({
      ...stored,
      is_deleted: false,
      is_supported: true,
      protection_status: 'protected',
      protection_info: { policy_id: protection?.policyId },
      backup_status_info: { backup_status: 'unknown' },
    });
    expect((await callLive(portal(), `${path}/${listed.id}`)).json).toEqual(listed);
    expect((await callLive(portal(), `${path}/unknown`)).status).toBe(404);
  });

  it('have a link to their policy, which can be embedded', async () => {
    const { id, protection } = firstOf(volumes());
    const target = `${path}/${id}?embed=read-policy-definition`;
    expect((await callLive(portal(), target)).json).toMatchObject({
      _links: {
        'read-policy-definition': { href: `/policies/definitions/${protection?.policyId}` },
      },
      _embedded: { 'read-policy-definition': { id: protection?.policyId } },
    });
    expect((await callLive(portal(), `${path}?embed=read-task`)).status).toBe(400);
  });

  it('leave out deleted volumes unless the filter asks for them', async () => {
    const deleted = idsOf((volume) => !exists(volume));
    expect(deleted).toHaveLength(4);
    expect(await found({})).toEqual(idsOf(exists));
    expect(await found({ is_deleted: { $eq: true } })).toEqual(deleted);
    expect(await found({ is_deleted: { $in: ['true', 'false'] } })).toEqual(idsOf(() => true));
    expect((await callLive(portal(), `${path}/${deleted[0]}`)).json).toMatchObject({
      is_deleted: true,
      protection_status: null,
      protection_info: null,
    });
  });

  it('can be filtered by name, AWS id, account, environment and tags', async () => {
    const volume = firstOf(volumes());
    const { name, volume_native_id, account_native_id, environment_id } = volume;
    expect(await found({ name: { $eq: name } })).toEqual([volume.id]);
    expect(await found({ name: { $contains: 'BILLING' } })).toEqual([]);
    expect(await found({ name: { $contains: 'billing' } })).toEqual(
      idsOf((one) => exists(one) && one.name.includes('billing')),
    );
    expect(await found({ volume_native_id: { $eq: volume_native_id } })).toEqual([volume.id]);
    expect(await found({ environment_id: { $eq: environment_id } })).toEqual(
      idsOf((one) => exists(one) && one.environment_id === environment_id),
    );
    expect(await found({ account_native_id: { $eq: account_native_id } })).toEqual(
      idsOf((one) => exists(one) && one.account_native_id === account_native_id),
    );
    const tagIds = volume.tags.slice(1).map(({ id }) => id);
    const tagged = await found({ 'tags.id': { $all: tagIds } });
    expect(tagged).toContain(volume.id);
    expect(tagged.length).toBeGreaterThan(1);
  });

  it('can be filtered by policy and protection', async () => {
    const policyId = firstOf(volumes()).protection?.policyId;
    expect(await found({ 'protection_info.policy_id': { $eq: policyId } })).toEqual(
      idsOf((one) => exists(one) && one.protection?.policyId === policyId),
    );
    const unprotected = idsOf((one) => exists(one) && !one.protection && !one.unsupported_reason);
    expect(await found({ protection_status: { $eq: 'unprotected' } })).toEqual(unprotected);
    expect(await found({ protection_status: { $in: ['unsupported'] } })).toHaveLength(1);
    expect(await found({ deactivated: { $eq: true } })).toEqual([]);
    service.changePolicy(portal().id, policyId ?? '', { activation_status: 'deactivated' });
    expect(await found({ deactivated: { $eq: true } })).toContain(firstOf(volumes()).id);
    service.reset();
  });

  it('have a backup status only with lookback_days', async () => {
    const failed = { backup_status: { $in: ['failure'] } };
    expect(await found(failed)).toEqual([]);
    const failing = (one: Volume) => exists(one) && one.lastAttempt?.status === 'failure';
    expect(idsOf(failing).length).toBeGreaterThan(2);
    expect(await found(failed, '&lookback_days=1')).toEqual(idsOf(failing));
    const none = await found({ backup_status: { $in: ['no_backup'] } }, '&lookback_days=60');
    expect(none).toEqual(idsOf((one) => exists(one) && !one.lastAttempt));
    for (const days of ['0', '61', 'ten']) {
      expect((await callLive(portal(), `${path}?lookback_days=${days}`)).status).toBe(400);
    }
  });

  it.each([
    { aws_region: { $eq: 'us-west-2' } },
    { is_deleted: { $eq: 'true' } },
    { 'tags.id': { $in: ['x'] } },
    { protection_status: { $contains: 'protected' } },
  ])('reject the filter %j', async (filter) => {
    expect((await callLive(portal(), filtered(path, filter))).status).toBe(400);
  });
});

it('belong to the unit of their environment', async () => {
  const { service, portal, portalId } = await openLive();
  const unit = portal.organizationalUnits[1]?.id;
  const headers = { 'X-Clumio-OrganizationalUnit-Context': unit };
  const { items } = (await listLive(portal, path, { headers }))._embedded;
  const finance = service.environments(portalId).find((one) => one.account_name === 'finance');
  expect(items.length).toBeGreaterThan(5);
  for (const item of items) {
    expect(item).toMatchObject({ environment_id: finance?.id, organizational_unit_id: unit });
  }
});
