import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { startReferenceService } from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, testNow } from '../call-portal.ts';
import { callLive, openLive } from './call-live.ts';

const link = z.strictObject({ href: z.string(), type: z.string(), templated: z.boolean() });
const discoverySchema = z.record(
  z.string(),
  z.object({ supported_versions: z.array(z.string()) }).catchall(z.record(z.string(), link)),
);

it('lists every operation by resource and version', async () => {
  const { portal } = await openLive();
  const reply = await callLive(portal, '/');
  const resources = discoverySchema.parse(reply.json);
  expect(resources.users?.supported_versions).toEqual(['v2', 'v1']);
  expect(reply.json).toMatchObject({
    users: {
      v2: { 'read-user': { href: '/users/{user_id}', type: 'get', templated: true } },
    },
    tasks: { v1: { 'list-tasks': { href: '/tasks', type: 'get', templated: false } } },
  });
});

it('lists what restores and invitations need', async () => {
  const { portal } = await openLive();
  const operation = (href: string, type = 'get') => ({ href, type, templated: href.includes('{') });
  const restore = { 'restore-aws-ebs-volume': operation('/restores/aws/ebs-volumes', 'post') };
  const backups = {
    'list-backup-aws-ebs-volumes': operation('/backups/aws/ebs-volumes'),
    'read-backup-aws-ebs-volume': operation('/backups/aws/ebs-volumes/{backup_id}'),
  };
  expect((await callLive(portal, '/')).json).toMatchObject({
    'restored-aws-ebs-volumes': { supported_versions: ['v2', 'v1'], v1: restore, v2: restore },
    'backup-aws-ebs-volumes': { supported_versions: ['v2', 'v1'], v1: backups, v2: backups },
    'aws-ebs-volumes': {
      v1: {
        'list-aws-ebs-volumes': operation('/datasources/aws/ebs-volumes'),
        'read-aws-ebs-volume': operation('/datasources/aws/ebs-volumes/{volume_id}'),
      },
    },
    'aws-environments': {
      v1: {
        'list-aws-environments': operation('/datasources/aws/environments'),
        'read-aws-environment': operation('/datasources/aws/environments/{environment_id}'),
      },
    },
    'auto-user-provisioning-settings': {
      v1: {
        'read-auto-user-provisioning-setting': operation('/settings/auto-user-provisioning'),
      },
    },
    users: { v2: { 'create-user': operation('/users', 'post') } },
  });
});

it('offers none of that in the documented dialect', async () => {
  const service = await startReferenceService({ now: testNow });
  onTestFinished(() => service.close());
  const portal = firstOf(service.portals);
  for (const path of [
    '/datasources/aws/ebs-volumes',
    '/datasources/aws/environments',
    '/backups/aws/ebs-volumes',
    '/restores/aws/ebs-volumes',
    '/settings/auto-user-provisioning',
  ]) {
    expect((await callPortal(portal, path)).status).toBe(404);
  }
  expect((await callPortal(portal, '/users', { method: 'POST', json: {} })).status).toBe(405);
});

it('lists only operations that exist', async () => {
  const { service, portal, portalId } = await openLive();
  const ids: Record<string, string> = {
    user_id: '1',
    policy_id: firstOf(service.policies(portalId)).id,
    individual_alert_id: firstOf(service.alerts(portalId)).id,
    task_id: '1',
    id: portal.organizationalUnits[0]?.id ?? '',
    role_id: '10000000-0000-4000-a000-000000000001',
    environment_id: firstOf(service.environments(portalId)).id,
    volume_id: firstOf(service.volumes(portalId)).id,
    backup_id: firstOf(service.backups(portalId)).id,
  };
  const resources = discoverySchema.parse((await callLive(portal, '/')).json);
  const links = Object.values(resources).flatMap(({ supported_versions: _, ...versions }) =>
    Object.values(versions).flatMap((operations) => Object.values(operations)),
  );
  const gets = links.filter(({ type }) => type === 'get');
  expect(gets.length).toBeGreaterThan(12);
  for (const { href } of gets) {
    const path = href.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
    expect({ path, status: (await callLive(portal, path)).status }).toEqual({ path, status: 200 });
  }
});

it('neither lists nor serves the operations in `without`', async () => {
  const without = ['list-roles', 'read-policy-aws-ebs-volumes-compliance-stats', 'list-users'];
  const { service, portal, portalId } = await openLive({ without });
  const text = (await callLive(portal, '/')).text;
  for (const id of without) expect(text).not.toContain(`"${id}"`);
  expect((await callLive(portal, '/roles')).status).toBe(404);
  const { id } = firstOf(service.policies(portalId));
  const statistics = `/policies/definitions/${id}/stats/compliance/aws/ebs-volumes`;
  expect((await callLive(portal, statistics)).status).toBe(404);
  expect((await callLive(portal, '/users/1')).status).toBe(200);
  await expect(openLive({ without: ['fly'] })).rejects.toThrow('no operation "fly"');
});
