import { expect, it } from 'vitest';
import { z } from 'zod';
import { firstOf, testNow } from '../call-portal.ts';
import { callLive, filtered, listLive, openLive, walkLive } from './call-live.ts';

const path = '/policies/definitions';

const body = {
  name: 'Nightly',
  operations: [
    {
      type: 'aws_ebs_volume_backup',
      action_setting: 'window',
      backup_window_tz: { start_time: '22:00', end_time: '04:00' },
      slas: [
        {
          rpo_frequency: { unit: 'days', value: 1 },
          retention_duration: { unit: 'years', value: 2 },
        },
        {
          rpo_frequency: { unit: 'weekly', value: 1, offsets: [0, 3] },
          retention_duration: { unit: 'months', value: 6 },
        },
      ],
    },
  ],
};

it('reads one, the same as in the list', async () => {
  const { portal } = await openLive();
  const listed = firstOf((await listLive(portal, path))._embedded.items);
  const reply = await callLive(portal, `${path}/${listed.id}`);
  expect(reply.json).toEqual(listed);
  expect(listed).toMatchObject({
    name: 'Gold',
    activation_status: 'activated',
    lock_status: 'unlocked',
    organizational_unit_id: portal.organizationalUnits[1]?.id,
    created_time: expect.any(Number),
    updated_time: expect.any(Number),
  });
  expect(listed).not.toHaveProperty('sla_sets');
});

it('creates one synchronously, and returns it as sent', async () => {
  const { service, portal, portalId } = await openLive({ clock: () => testNow });
  const reply = await callLive(portal, path, { method: 'POST', json: body });
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ ...body, created_time: testNow.getTime() / 1000 });
  const { id } = z.looseObject({ id: z.uuid() }).parse(reply.json);
  const stored = service.policies(portalId).find((policy) => policy.id === id);
  expect(stored?.sla_sets[0]).toMatchObject({
    operation: 'aws_ebs_volume_backup',
    seed_setting: 'window',
    slas: [
      { rpo_frequency: { units: 'day', value: 1 } },
      { rpo_frequency: { units: 'weekly', value: 1, offsets: [0, 3] } },
    ],
  });
});

it('filters by name, operation and state', async () => {
  const { portal } = await openLive();
  const names = async (filter: unknown) =>
    (await walkLive(portal, filtered(path, filter))).map(
      (policy) => z.looseObject({ name: z.string() }).parse(policy).name,
    );
  expect(await names({ name: { $begins_with: 'Finance' } })).toHaveLength(3);
  expect(await names({ name: { $eq: 'Gold' } })).toEqual(['Gold']);
  expect(await names({ activation_status: { $eq: 'deactivated' } })).toEqual(['Sandbox']);
  const mail = { 'operations.type': { $in: ['microsoft365_mailbox_backup', 'unknown'] } };
  expect(await names(mail)).toEqual(['Mailboxes']);
});

const operation = firstOf(body.operations);
it.each([
  { name: 'No operations' },
  { ...body, operations: [] },
  { ...body, name: ' ' },
  { ...body, activation_status: 'paused' },
  { ...body, operations: [{ type: 'x' }] },
  { ...body, operations: [{ ...operation, action_setting: 'later' }] },
  {
    ...body,
    operations: [
      {
        ...operation,
        slas: [
          {
            rpo_frequency: { units: 'day', value: 1 },
            retention_duration: { unit: 'days', value: 1 },
          },
        ],
      },
    ],
  },
])('rejects %j', async (json) => {
  const { service, portal, portalId } = await openLive();
  expect((await callLive(portal, path, { method: 'POST', json })).status).toBe(400);
  expect(service.policies(portalId)).toHaveLength(12);
});

it('can be assigned to a unit of the token, and to no other', async () => {
  const { portal } = await openLive();
  const create = (token: string, organizational_unit_id: string | undefined) =>
    callLive({ ...portal, token }, path, {
      method: 'POST',
      json: { ...body, organizational_unit_id },
    });
  const unit = portal.organizationalUnits[1]?.id;
  expect((await create(portal.token, unit)).json).toMatchObject({ organizational_unit_id: unit });
  expect((await create(portal.restrictedToken, unit)).status).toBe(403);
  expect((await create(portal.token, 'unknown')).status).toBe(403);
});

it('has the compliance statistics', async () => {
  const { portal } = await openLive();
  const { _links } = z
    .looseObject({ _links: z.record(z.string(), z.looseObject({ href: z.string() })) })
    .parse(firstOf((await listLive(portal, path))._embedded.items));
  const { href = '' } = _links['read-policy-aws-ebs-volumes-compliance-stats'] ?? {};
  expect((await callLive(portal, href)).json).toMatchObject({
    compliant_count: expect.any(Number),
  });
});
