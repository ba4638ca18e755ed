import { expect, test } from 'vitest';
import { firstOf } from '../../playground/service/call-portal.ts';
import { aReason, buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { stageRestores } from './restore-stage.ts';

const stage = stageRestores();
const { world } = stage;

/** The option of the form for an environment, by the end of its value. */
function optionOf(form: Awaited<ReturnType<typeof stage.openForm>>, id: string): string {
  const values = form.blocks.flatMap((block) =>
    block.type === 'input' && block.element.type === 'static_select'
      ? (block.element.options ?? []).map(({ value = '' }) => value)
      : [],
  );
  return firstOf(values.filter((value) => value.endsWith(` ${id}`)));
}

/** An environment of another account that takes restores, and one of its keys. */
function elsewhere() {
  const { environments, home } = stage.source();
  const other = firstOf(
    environments.filter(
      (one) =>
        one.account_native_id !== home.account_native_id &&
        one.connection_status !== 'unlinked' &&
        one.services_enabled.includes('ebs'),
    ),
  );
  return { other, zone: firstOf(other.aws_az), key: other.kmsKeyIds[0] };
}

test('another account needs another key and two approvals, and the request says so', async () => {
  const { ana, ben, cleo } = world();
  const { other, zone, key } = elsewhere();
  const form = await stage.openForm(ana);
  await ana.close(form);
  const message = await stage.request(ana, {
    environment: { input: optionOf(form, other.id) },
    zone: { input: zone },
    kmsKey: { input: key },
    tags: { input: 'Name=drill\nowner=' },
  });
  const card = JSON.stringify(message.blocks);
  expect(card).toMatch(/Changes the account, (region and encryption key|region|.*)/);
  expect(card).toContain(other.account_native_id);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Waiting for 1 more approval');
  expect(stage.posts()).toHaveLength(0);
  await cleo.press(message, 'Approve');
  await stage.sweepUntil(ana, message, 'was restored to a new volume');
  expect(stage.restored()).toMatchObject([
    { name: 'drill', environment_id: other.id, aws_az: zone, kms_key_native_id: key },
  ]);
  expect(stage.restored()[0]?.tags.map((tag) => tag.key)).toEqual([
    ...['Name', 'owner', 'belay-request'],
  ]);
});

test.each([
  [{ zone: { input: 'us-east-9z' } }, 'zone', /Enter a zone of .+: .+/],
  [{ iops: { input: '2999' } }, 'iops', /For gp3, enter at least 3,000 IOPS\./],
  [{ type: { input: 'io2' }, iops: { input: null } }, 'iops', /For io2, enter at least 100 IOPS/],
  [{ type: { input: 'st1' }, iops: { input: '3000' } }, 'iops', /st1 doesn't take IOPS/],
  [{ kmsKey: { input: null } }, 'kmsKey', /the backup is encrypted/],
  [{ kmsKey: { input: 'arn:aws:kms:us-east-1:1:key/x' } }, 'kmsKey', /only the ID of the key/],
  [{ tags: { input: `${'x'.repeat(129)}=1` } }, 'tags', /longer than 128 characters/],
  [{ tags: { input: `a=${'x'.repeat(257)}` } }, 'tags', /longer than 256 characters/],
  [{ tags: { input: 'aws:x=1' } }, 'tags', /AWS doesn't allow the key/],
  [{ tags: { input: 'a=1\na=2' } }, 'tags', /appears twice/],
  [{ tags: { input: '=1' } }, 'tags', /Every tag needs a key/],
  [{ tags: { input: 'belay-request=1' } }, 'tags', /Belay sets the tag/],
  [
    { tags: { input: Array.from({ length: 200 }, (_, index) => `k${index}=`).join('\n') } },
    'tags',
    /at most 49 tags\. You entered 200\./,
  ],
])('the form refuses %j, and keeps what was entered', async (values, field, error) => {
  const { ana } = world();
  const form = await stage.openForm(ana);
  await ana.submit(form, { reason: { input: aReason }, ...values });
  const open = await ana.see(
    ({ views }) => views.find(({ errors }) => Object.keys(errors).length > 0),
    'an error',
  );
  expect(Object.keys(open.errors)).toEqual([field]);
  expect(open.errors[field]).toMatch(error);
  await ana.close(open);
  expect(messagesOf(ana).filter(({ text }) => text.includes('requests approval'))).toEqual([]);
});

test('a volume can be requested as it was, with more IOPS than AWS once allowed', async () => {
  const { ana, service, portal } = world();
  const { volume } = stage.source();
  for (const { id, volume_id } of service.backups(portal.id)) {
    if (volume_id === volume.id) service.changeBackup(portal.id, id, { iops: 20_000 });
  }
  const message = await stage.request(ana);
  expect(JSON.stringify(message.blocks)).toMatch(/20,?000/);
});

test('the key of the backup is refused for another account', async () => {
  const { ana } = world();
  const { other, zone } = elsewhere();
  const form = await stage.openForm(ana);
  await ana.submit(form, {
    reason: { input: aReason },
    environment: { input: optionOf(form, other.id) },
    zone: { input: zone },
  });
  const open = await ana.seeDialog("This is the backup's own key.");
  await ana.close(open);
});

test('a backup that expired while the form was open is refused, and the reason is repeated', async () => {
  const { ana, service, portal } = world();
  const { volume } = stage.source();
  const form = await stage.openForm(ana);
  for (const { id, volume_id } of service.backups(portal.id)) {
    if (volume_id === volume.id) service.removeBackup(portal.id, id);
  }
  await ana.submit(form, { reason: { input: aReason } });
  const refused = await ana.seeMessage('The backup no longer exists. No request was sent.');
  expect(refused.text).toContain(aReason);
});

test('a second request about the volume is asked about', async () => {
  const { ana } = world();
  await stage.request(ana);
  const { volume } = stage.source();
  await ana.send('ops', `/belay restore ${volume.volume_native_id}`);
  const list = await ana.see(
    () => messagesOf(ana).findLast((one) => buttonTexts(one).includes('Restore…')),
    'the backups',
  );
  await ana.press(list, 'Restore…');
  const asked = await ana.seeDialog('Request anyway');
  await ana.close(asked);
});

test('an alert about a volume leads to its restore', async () => {
  const { ana, ben, service, portal } = world();
  const { volume } = stage.source();
  const [alert] = service.alerts(portal.id);
  if (!alert) throw new Error('no alert');
  service.putAlert(portal.id, {
    ...alert,
    id: 'volume-alert',
    type: 'restore_failed',
    status: 'active',
    primary_entity: { id: volume.id, type: 'aws_ebs_volume', value: volume.name },
    updated_timestamp: stage.clock().toISOString(),
  });
  await ana.send('ops', `/belay alerts ${volume.name}`);
  const list = await ana.seeMessage(volume.name);
  await ana.press(list, 'View details');
  await ana.press(await ana.seeDialog('Restore…'), 'Restore…');
  await ana.press(await ana.seeDialog('newest first'), 'Refresh');
  const backups = await ana.seeDialog('newest first');
  await ana.press(backups, 'Restore…');
  const form = await stage.answerOpen(ana);
  await ana.submit(form, { reason: { input: aReason } });
  const request = await ben.see(
    () => messagesOf(ben).find(({ text }) => text.includes('requests approval to restore volume')),
    'the request',
  );
  await ben.press(request, 'Approve');
  await stage.sweepUntil(ben, request, 'was restored to a new volume');
  expect(stage.restored()).toHaveLength(1);
});
