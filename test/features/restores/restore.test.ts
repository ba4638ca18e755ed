import { expect, test } from 'vitest';
import { logOf } from '../../requests/world-with-database.ts';
import { buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { stageRestores } from './restore-stage.ts';

const stage = stageRestores();
const { world } = stage;

test('a volume is restored once, after approval, and the request names the new one', async () => {
  const { ana, ben } = world();
  const { volume } = stage.source();
  const message = await stage.request(ana);
  const card = JSON.stringify(message.blocks);
  expect(card).toContain('*New volume*');
  expect(card).toContain('the newest backup');
  expect(card).toContain('Same account, region and encryption key');
  expect(card).toContain('No cost estimate from the service.');
  await ben.press(message, 'View request body');
  const body = await ben.seeDialog('belay-request');
  await ben.close(body);
  await ben.press(message, 'Approve');
  const done = await stage.sweepUntil(ana, message, `Volume *${volume.name}* was restored`);
  const [created, another] = stage.restored();
  expect(another).toBeUndefined();
  expect(done.text).toContain(`New volume: \`${created?.volume_native_id}\``);
  expect(done.text).toMatch(/<https:\/\/[^|]+\.portal\.example\/\|Open portal>/);
  expect(created).toMatchObject({
    type: volume.type,
    iops: volume.iops,
    aws_az: volume.aws_az,
    kms_key_native_id: volume.kms_key_native_id,
    name: volume.name,
  });
  expect(stage.posts()).toHaveLength(1);
  const shown = body.blocks.flatMap((block) =>
    block.type === 'section' ? [block.text?.text ?? ''] : [],
  );
  const [, sent = ''] = /```\n(.*)\n```/s.exec(shown.join('\n')) ?? [];
  expect(sent).toBe(stage.posts()[0]?.body);
  // A busy machine may start a run twice, before it sends anything.
  const log = await logOf(stage.db(), message);
  expect([...log.slice(0, 2), ...log.slice(-3)]).toEqual([
    `requested ${ana.slackUserId}`,
    `approved ${ben.slackUserId}`,
    ...['started belay', 'accepted belay', 'completed belay'],
  ]);
});

test('an approved restore is followed from queued to its end', async () => {
  const { ana, ben, service } = world();
  service.setTaskTimings({ delayMs: 3_600_000 });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  const queued = await seeAgain(ana, message, 'queued');
  expect(queued.text).toContain('The service is making the change.');
  expect(JSON.stringify(queued.blocks)).toContain('Running');
  stage.advance(30 * 60_000);
  await stage.sweepUntil(ana, message, '50% complete');
  expect(stage.restored()).toHaveLength(0);
  await stage.sweepUntil(ana, message, 'was restored to a new volume', 60_000);
  expect(stage.restored()).toHaveLength(1);
  expect(stage.posts()).toHaveLength(1);
});

test('a failed task is reported with the reason of its alert', async () => {
  const { ana, ben, service } = world();
  service.setTaskTimings({ delayMs: 0, outcome: 'failed' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  const failed = await stage.sweepUntil(ana, message, "Couldn't restore volume");
  expect(failed.text).toMatch(/Task `\d+` failed\. The service said: “.+”/);
  expect(stage.restored()).toHaveLength(0);
  await ana.seeMessage(/Your request to restore volume/);
});

test('a task that was aborted in the service is reported', async () => {
  const { ana, ben, service } = world();
  service.setTaskTimings({ delayMs: 0, outcome: 'aborted' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await stage.sweepUntil(ana, message, 'was aborted');
});

test("the requester and approvers can abort the task of a restore, others can't", async () => {
  const { ana, ben, cleo, service } = world();
  service.setTaskTimings({ delayMs: 3_600_000 });
  const message = await stage.request(ben);
  await cleo.press(message, 'Approve');
  const queued = await seeAgain(ana, message, 'queued');
  expect(buttonTexts(queued)).toContain('Abort');
  await ana.press(queued, 'Abort');
  await ana.seeMessage("You aren't an approver of this request.");
  await ben.press(queued, 'Abort');
  const aborted = await stage.sweepUntil(ana, message, 'was aborted. If it left a volume behind');
  expect(aborted.text).toContain("Couldn't restore volume");
  expect(aborted.text).toContain(`Abort requested by <@${ben.slackUserId}>`);
  expect(stage.restored()).toHaveLength(0);
  const log = await logOf(stage.db(), message);
  expect(log.slice(-2)).toEqual([`abort_requested ${ben.slackUserId}`, 'failed belay']);
});

test('a task that the service no longer aborts is followed to its end', async () => {
  const { ana, ben, service } = world();
  service.setTaskTimings({ delayMs: 3_600_000 });
  service.setFault({ kind: 'status', status: 409 }, { method: 'PATCH', pathPrefix: '/tasks' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  const queued = await seeAgain(ana, message, 'queued');
  await ben.press(queued, 'Abort');
  await ben.seeMessage(/conflict/);
  service.setFault(undefined);
  stage.advance(2 * 3_600_000);
  await stage.sweepUntil(ana, message, 'was restored to a new volume');
  expect(stage.restored()).toHaveLength(1);
});

test('a task that the token may not read is no failure: the volume is found by its tag', async () => {
  const { ana, ben, service } = world();
  service.setFault({ kind: 'status', status: 403 }, { pathPrefix: '/tasks' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await stage.sweepUntil(ana, message, 'was restored to a new volume');
  expect(stage.posts()).toHaveLength(1);
});

test('a task that vanishes is no failure either', async () => {
  const { ana, ben, service } = world();
  service.setTaskTimings({ delayMs: 0, outcome: 'vanished' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await stage.sweepUntil(ana, message, 'was restored to a new volume');
  expect(stage.posts()).toHaveLength(1);
});

test('a task that stalls is followed for a week, then left to people', async () => {
  const { ana, ben, service } = world();
  service.setTaskTimings({ delayMs: 0, outcome: 'stalled' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, /\d0% complete/);
  stage.advance(8 * 24 * 3_600_000);
  // A check that began before may end after the first sweep.
  const left = await stage.sweepUntil(ana, message, "Check the service's portal.", 60_000);
  expect(left.text).toContain('Belay followed the task for 7 days.');
  expect(stage.posts()).toHaveLength(1);
});

test('a lost answer is never followed by a second restore: the volume is found by its tag', async () => {
  const { ana, ben, service } = world();
  const fault = { kind: 'reset', afterActing: true } as const;
  service.setTaskTimings({ delayMs: 3_600_000 });
  service.setFault(fault, { method: 'POST' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Unknown outcome');
  service.setFault(undefined);
  // As long as a restore runs that may be this one.
  for (let minutes = 0; minutes < 50; minutes += 5) {
    stage.advance(5 * 60_000);
    await world().belay.sweep();
  }
  expect((await seeAgain(ana, message, 'Unknown outcome')).text).toContain('keeps checking');
  await stage.sweepUntil(ana, message, 'was restored to a new volume', 60_000);
  expect(stage.restored()).toHaveLength(1);
  expect(stage.posts()).toHaveLength(1);
});

test('a restore that the service may not have got is not sent again', async () => {
  const { ana, ben, service } = world();
  service.setFault({ kind: 'reset' }, { method: 'POST' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'Unknown outcome');
  service.setFault(undefined);
  await stage.sweepUntil(ana, message, "Check the service's portal.", 60_000);
  expect(stage.posts()).toHaveLength(1);
  expect(stage.restored()).toHaveLength(0);
});

test('a restore that the service rejects is not made, and its words are shown', async () => {
  const { ana, ben, service } = world();
  service.setFault({ kind: 'status', status: 400 }, { method: 'POST' });
  const message = await stage.request(ana);
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, "Couldn't restore volume");
  expect(stage.posts()).toHaveLength(1);
});

test('a request is voided if its backup expired, or is gone, before it runs', async () => {
  const { ana, ben, service, portal } = world();
  const { volume } = stage.source();
  const newest = () =>
    service.backups(portal.id).find((one) => one.start_timestamp === volume.last_backup_timestamp);
  const expired = await stage.request(ana);
  const expiration_timestamp = stage.clock().toISOString();
  service.changeBackup(portal.id, newest()?.id ?? '', { expiration_timestamp });
  await ben.press(expired, 'Approve');
  const voided = await seeAgain(ana, expired, 'The backup has expired.');
  expect(voided.text).toContain('Nothing was changed.');
  expect(buttonTexts(voided)).toContain('Request again…');
  expect(stage.posts()).toHaveLength(0);
});

test('a request is voided if its target is disconnected before it runs', async () => {
  const { ana, ben, service, portal } = world();
  const { home } = stage.source();
  const message = await stage.request(ana);
  service.changeEnvironment(portal.id, home.id, { connection_status: 'unlinked' });
  await ben.press(message, 'Approve');
  await seeAgain(ana, message, 'The target environment is no longer connected for EBS.');
  expect(stage.posts()).toHaveLength(0);
});

test('a volume is found by name in any case, by tag and by part of its id; several are listed in pages', async () => {
  const { ana } = world();
  const { volume } = stage.source();
  await ana.send('ops', '/belay restore');
  const all = await ana.seeMessage(/EBS volumes.*1-10 of \d+/);
  expect(buttonTexts(all)).toContain('View backups');
  await ana.press(all, 'Next');
  await seeAgain(ana, all, '11-20 of');
  await ana.send('ops', `/belay restore ${volume.name}`);
  await ana.seeMessage(`Command: \`/belay restore ${volume.volume_native_id}\``);
  await ana.send('ops', '/belay restore VOLUME-1');
  await ana.seeMessage('matching “VOLUME-1”');
  const [team] = volume.tags.filter(({ key }) => key === 'team');
  await ana.send('ops', `/belay restore team=${team?.value}`);
  await ana.seeMessage(`matching “team=${team?.value}”`);
  await ana.send('ops', '/belay restore no-such-volume');
  await ana.seeMessage('No EBS volume matches “no-such-volume”.');
});

test('backups are shown newest first, in pages', async () => {
  const { ana } = world();
  const { volume } = stage.source();
  await ana.send('ops', `/belay restore ${volume.volume_native_id}`);
  const list = await ana.seeMessage('newest first');
  expect(buttonTexts(list).filter((text) => text === 'Restore…').length).toBeGreaterThan(5);
  expect(list.text).toMatch(/\{ago\}.+ · \d+ GB · expires/);
  if (buttonTexts(list).includes('Older')) {
    await ana.press(list, 'Older');
    await seeAgain(ana, list, '11-');
  }
  expect(messagesOf(ana).length).toBeGreaterThan(0);
});
