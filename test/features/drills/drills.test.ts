import { expect, onTestFinished, test, vi } from 'vitest';
import { people } from '../../../playground/people.ts';
import { aReason, buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { patienceMs } from '../../support/patience.ts';
import { members, openRule, requestReviewed } from '../../support/rules.ts';
import { stageDrills } from './drill-stage.ts';

const stage = stageDrills();
const { world, db } = stage;

test('an approved drill restores the newest backup when it is due, and posts the result', async () => {
  const { ana, ben } = world();
  const source = stage.source();
  const [volume] = source.volumes;
  const request = await stage.addDrill(stage.valuesFor(source));
  const card = JSON.stringify(request.blocks);
  expect(card).toContain(volume?.name);
  expect(card).toContain("Belay can't delete them");
  expect(card).toContain('Same account, region and encryption key');
  await ana.seeMessage('added a restore drill: volume');
  expect(stage.posts()).toHaveLength(0);

  await stage.makeDue();
  const result = await ana.seeMessage(/\*Restore drill\* · .* · ✓ Restored · data .* old · took/);
  const [created, another] = stage.restored();
  expect(another).toBeUndefined();
  expect(result.text).toContain(`New volume: \`${created?.volume_native_id}\``);
  const [run] = await stage.runs();
  expect(created?.tags).toMatchObject([{ key: 'belay-drill', value: run?.id }]);
  expect(result.text).toContain(`Delete the new volume by its tag \`belay-drill=${run?.id}\``);
  expect(run).toMatchObject({ state: 'restored', new_volume_id: created?.volume_native_id });
  const newest = source
    .backupsOf(volume?.id ?? '')
    .map(({ start_timestamp }) => start_timestamp)
    .toSorted()
    .at(-1);
  expect(run?.backup_at?.toISOString()).toBe(new Date(newest ?? '').toISOString());

  const log = await db()
    .selectFrom('audit_log')
    .select(['event', 'facts', 'subject_id'])
    .where('action', '=', 'drills.run')
    .orderBy('seq')
    .execute();
  expect(log.map(({ event }) => event)).toEqual(['started', 'completed']);
  expect(log[1]).toMatchObject({ subject_id: volume?.id, facts: { run: run?.id } });

  const before = stage.seenBy(ana);
  await ana.send('ops', '/belay drill report');
  const report = await stage.newMessage(ana, before, 'newest first · 1-1 of 1');
  expect(report.text).toMatch(/✓ Restored · data .* old/);
  await ana.send('ops', '/belay digest now');
  await ana.seeMessage('*Restore drills* · 1 of 1 restored');
  await ben.send('ops', '/belay audit event:completed');
  await ben.seeMessage(/tested the restore of/);
});

test('a drill in progress is listed with its task, once, and on Home', async () => {
  const { ana, service } = world();
  service.setTaskTimings({ delayMs: 3_600_000 });
  onTestFinished(() => service.setTaskTimings({ delayMs: 0 }));
  await stage.addDrill(stage.valuesFor(stage.source()));
  await ana.openHome();
  await ana.seeHome(/1 restore drill, next /);
  await stage.makeDue();
  await vi.waitFor(async () => expect((await stage.runs())[0]?.task_id).toBeTruthy(), patienceMs);
  const [run] = await stage.runs();
  await ana.send('ops', '/belay tasks');
  const { text } = await ana.seeMessage('*Restore drills in progress* · 1');
  expect(text.split(`task \`${run?.task_id}\``)).toHaveLength(2);
});

test('every volume of a drill is restored, and a drill runs once for missed times', async () => {
  const { ana } = world();
  const source = stage.source(2);
  await stage.addDrill(stage.valuesFor(source));
  await stage.makeDue(15 * 24 * 3_600_000);
  await ana.see(
    () =>
      messagesOf(ana).filter(({ text }) => text.includes('✓ Restored')).length === 2 || undefined,
    'two results',
  );
  expect(stage.posts()).toHaveLength(2);
  const { next_run_at: next } = await stage.storedDrill();
  expect(next.getTime()).toBeGreaterThan(stage.clock.now().getTime());
  expect((await stage.runs()).map(({ state }) => state)).toEqual(['restored', 'restored']);
});

test('a failed task is reported with its reason', async () => {
  const { ana, cleo, service } = world();
  await stage.addDrill(stage.valuesFor(stage.source()));
  service.setTaskTimings({ delayMs: 0, outcome: 'failed' });
  await stage.makeDue();
  const failed = await ana.seeMessage(/\*Restore drill\* · .* · ✗ Failed/);
  expect(failed.text).toMatch(/Task `\d+` failed\. The service said: “.+”/);
  expect(failed.text).not.toContain('Delete the new volume');
  await ana.send('ops', '/belay drill report');
  await ana.seeMessage(/newest first.*✗ Failed.*Task/s);
  await ana.send('ops', '/belay digest now');
  await ana.seeMessage('*Restore drills* · ⚠ 1 failed · 0 of 1 restored');
  await cleo.send('ops', '/belay doctor');
  await cleo.seeMessage(/The last restore of 1 volume in .* failed/);
});

test('a volume without a backup, or with an expired one, fails without a restore', async () => {
  const { ana, service, portal } = world();
  const source = stage.source();
  await stage.addDrill(stage.valuesFor(source));
  for (const { id } of source.backupsOf(source.volumes[0]?.id ?? '')) {
    const expiration_timestamp = stage.clock.now().toISOString();
    service.changeBackup(portal.id, id, { expiration_timestamp });
  }
  await stage.makeDue();
  await ana.seeMessage(/✗ Failed.*The newest backup has expired\./s);
  expect(stage.posts()).toHaveLength(0);
});

test('a lost answer is never followed by a second restore', async () => {
  const { ana, service } = world();
  await stage.addDrill(stage.valuesFor(stage.source()));
  service.setFault({ kind: 'reset', afterActing: true }, { method: 'POST' });
  await stage.makeDue();
  await ana.seeMessage(/\*Restore drill\* · .* · ✓ Restored/);
  expect(stage.posts()).toHaveLength(1);
  expect(stage.restored()).toHaveLength(1);
});

test('a restore that the service may not have got has an unknown outcome, and is not sent again', async () => {
  const { ana, service } = world();
  await stage.addDrill(stage.valuesFor(stage.source()));
  service.setFault({ kind: 'reset' }, { method: 'POST' });
  await stage.makeDue();
  await vi.waitFor(() => expect(stage.posts()).toHaveLength(1), patienceMs);
  stage.clock.moveBy(2 * 3_600_000);
  await ana.seeMessage(/⚠ Unknown outcome.*no volume has the drill's tag/s);
  expect(stage.posts()).toHaveLength(1);
});

test('an outage before the restore delays it', async () => {
  const { ana, service } = world();
  await stage.addDrill(stage.valuesFor(stage.source()));
  const reads = () => service.requests.filter(({ path }) => path.startsWith('/backups')).length;
  service.setFault({ kind: 'status', status: 503 }, { pathPrefix: '/backups' });
  await stage.makeDue();
  await vi.waitFor(() => expect(reads()).toBeGreaterThan(2), patienceMs);
  service.setFault(undefined);
  await ana.seeMessage(/\*Restore drill\* · .* · ✓ Restored/);
  expect(stage.posts()).toHaveLength(1);
});

test('what the approval does not cover is not restored', async () => {
  const { ana, service, portal } = world();
  const source = stage.source();
  await stage.addDrill(stage.valuesFor(source));
  for (const { id } of source.backupsOf(source.volumes[0]?.id ?? ''))
    service.changeBackup(portal.id, id, { kms_key_native_id: 'another-key' });
  await stage.makeDue();
  await ana.seeMessage(/✗ Failed.*the drill's approval doesn't cover/s);
  expect(stage.posts()).toHaveLength(0);
});

test('another account takes two approvals', async () => {
  const { ana, ben, cleo } = world();
  const source = stage.source();
  const other = source.environments.find(
    (one) =>
      one.account_native_id !== source.home.account_native_id &&
      one.connection_status !== 'unlinked' &&
      one.services_enabled.includes('ebs'),
  );
  const request = await stage.request(ana, {
    ...stage.valuesFor(source),
    environment: { input: other?.id ?? '' },
    zone: { input: other?.aws_az[0] ?? '' },
    kmsKey: { input: other?.kmsKeyIds[0] ?? '' },
  });
  expect(JSON.stringify(request.blocks)).toContain('Changes the account');
  await ben.press(request, 'Approve');
  await ana.seeMessage('Waiting for 1 more approval');
  await cleo.press(request, 'Approve');
  await ana.seeMessage('added a restore drill');
});

test('a policy: each run restores the volume that was tested longest ago', async () => {
  const { ana, ben, cleo, service, portal } = world();
  const source = stage.source();
  const policyId = source.volumes[0]?.protection?.policyId;
  const policy = service.policies(portal.id).find(({ id }) => id === policyId);
  const values = { volumes: { input: null }, policy: { input: policy?.name ?? '' } };
  const request = await stage.request(ana, { ...stage.valuesFor(source), ...values });
  // Its volumes are in several accounts.
  await ben.press(request, 'Approve');
  await ana.seeMessage('Waiting for 1 more approval');
  await cleo.press(request, 'Approve');
  await ana.seeMessage('added a restore drill: a volume of policy');
  for (const count of [1, 2]) {
    await stage.makeDue();
    await ana.see(
      () => messagesOf(ana).filter(({ text }) => text.includes('*Restore drill* ·'))[count - 1],
      'a result',
    );
  }
  const ids = (await stage.runs()).map(({ volume_id }) => volume_id);
  expect(new Set(ids).size).toBe(2);
  const volumes = service.volumes(portal.id).filter(({ id }) => ids.includes(id));
  expect(volumes.map(({ protection }) => protection?.policyId)).toEqual([policyId, policyId]);
});

test.each([
  [{ volumes: { input: 'no-such-volume' } }, 'No volume matches “no-such-volume”.'],
  [{ zone: { input: 'us-east-9z' } }, 'Enter a zone of'],
  [{ kmsKey: { input: null } }, 'Enter a KMS key ID of'],
])('a form with %j is refused before a request', async (values, why) => {
  const { ana } = world();
  await stage.submit(ana, { ...stage.valuesFor(stage.source()), ...values });
  const refusal = await ana.seeMessage(why);
  expect(refusal.text).toContain('No request was sent.');
  // What was typed isn't lost.
  expect(refusal.text).toContain(aReason);
});

test.each([
  ['volumes', { policy: { input: 'Gold' } }, 'Enter either volumes or a policy.'],
  ['volumes', { volumes: { input: null } }, 'Enter either volumes or a policy.'],
  ['volumes', { volumes: { input: 'abcdefghijk'.split('').join('\n') } }, 'at most 10 volumes'],
  ['timeZone', { timeZone: { input: 'Nowhere' } }, 'Unknown time zone.'],
])('the form stays open with an error at %s for %j', async (field, values, why) => {
  const { ana } = world();
  await stage.submit(ana, { ...stage.valuesFor(stage.source()), ...values });
  const refused = await ana.seeDialog(why);
  expect(refused.errors).toEqual({ [field]: expect.stringContaining(why) });
  await ana.close(refused);
});

test('the creator ends a drill in the list', async () => {
  const { ana, gus } = world();
  await stage.addDrill(stage.valuesFor(stage.source()));
  const before = stage.seenBy(ana);
  await ana.send('ops', '/belay drill end');
  const list = await stage.newMessage(ana, before, '1 restore drill in this channel');
  expect(buttonTexts(list)).toContain('End drill');
  await ana.press(list, 'End drill');
  await ana.seeMessage('Restore drill ended.');
  await ana.seeMessage('ended a restore drill');
  expect((await stage.storedDrill()).ended_by).toBe(ana.slackUserId);
  await stage.makeDue();
  expect(await stage.runs()).toEqual([]);
  await gus.send('ops', '/belay drill');
});

test('another rule for restores voids the drills that wait for approval', async () => {
  const { ana, ben, cleo } = world();
  const waiting = await stage.request(ana, stage.valuesFor(stage.source()));
  const form = await openRule(cleo, world(), 'volumes.restore');
  await cleo.submit(form, members('approval-1', [people.ben]));
  const review = await cleo.seeDialog('A second person must approve');
  expect(JSON.stringify(review.blocks)).toMatch(
    /voids 1 pending or scheduled request:.*add a restore drill/,
  );
  const change = await requestReviewed(cleo, ben);
  await ben.press(change, 'Approve');
  await seeAgain(ben, change, 'The setup was changed.');
  const voided = await seeAgain(ana, waiting, 'Voided because the rule for this action changed.');
  expect(buttonTexts(voided)).not.toContain('Approve');
});
