import { expect, test } from 'vitest';
import { firstOf } from '../../playground/service/call-portal.ts';
import { buttonTexts, messagesOf } from '../../support/ask.ts';
import { stageRestores } from './restore-stage.ts';

const stage = stageRestores();
const { world } = stage;

/** A volume, and the day in UTC of one of its backups, which is the day of the person too. */
function backupOfADay() {
  const { service, portal } = world();
  const { volume } = stage.source();
  const backups = service.backups(portal.id).filter(({ volume_id }) => volume_id === volume.id);
  const noon = firstOf(
    backups.filter(({ start_timestamp }) => /T(0[1-9]|1\d|20):/.test(start_timestamp)),
  );
  const day = noon.start_timestamp.slice(0, 10);
  const count = backups.filter(({ start_timestamp }) => start_timestamp.startsWith(day)).length;
  return { volume, day, count, total: backups.length };
}

test('the backups of a volume can be limited to a day, typed or chosen', async () => {
  const { ana } = world();
  const { volume, day, count, total } = backupOfADay();
  expect(total).toBeGreaterThan(count);
  await ana.send('ops', `/belay restore ${volume.volume_native_id} on ${day}`);
  const typed = await ana.seeMessage(/\*Backups\* on /);
  expect(buttonTexts(typed).filter((text) => text === 'Restore…')).toHaveLength(count);

  await ana.press(typed, 'View backups');
  const all = await ana.seeMessage(`*Backups* · 1-10 of ${total}`);
  await ana.press(all, 'Choose day…');
  const form = await ana.seeDialog('Backups of one day');
  await ana.submit(form, { day: { input: day } });
  const chosen = await ana.see(
    () =>
      messagesOf(ana).find(
        (one) =>
          one.channelId === typed.channelId &&
          one.messageTs !== typed.messageTs &&
          JSON.stringify(one.blocks).includes('*Backups* on '),
      ),
    'the backups of the chosen day in the channel',
  );
  expect(buttonTexts(chosen).filter((text) => text === 'Restore…')).toHaveLength(count);
});

test('a snapshot is a backup, and no time of one proves nothing', async () => {
  const { ana, service, portal } = world();
  const volumes = service.volumes(portal.id);
  const snapshots = firstOf(
    volumes.filter((one) => !one.last_backup_timestamp && one.last_snapshot_timestamp),
  );
  await ana.send('ops', `/belay restore ${snapshots.volume_native_id}`);
  const list = await ana.seeMessage('*Backups* · 3');
  expect(list.text).toMatch(/ · last backup /);
  const never = firstOf(
    volumes.filter((one) => !one.last_backup_timestamp && !one.last_snapshot_timestamp),
  );
  await ana.send('ops', `/belay restore ${never.volume_native_id}`);
  const none = await ana.seeMessage('This volume has no backups.');
  expect(none.text).toContain(never.aws_az);
  expect(none.text).not.toMatch(/last backup|no backup /);
});

test.each(['"', '“'])(
  'a name in quotation marks is searched for without them: %s',
  async (mark) => {
    const { ana } = world();
    const { volume, day, count } = backupOfADay();
    await ana.send('ops', `/belay restore ${mark}${volume.name}${mark}`);
    await ana.seeMessage('*Backups* · ');
    await ana.send('ops', `/belay restore ${mark}${volume.name}${mark} ${day}`);
    const typed = await ana.seeMessage(/\*Backups\* on /);
    expect(buttonTexts(typed).filter((text) => text === 'Restore…')).toHaveLength(count);
  },
);

test('a day without backups says so, and a wrong date is no name', async () => {
  const { ana } = world();
  const { volume_native_id: id } = stage.source().volume;
  await ana.send('ops', `/belay restore ${id} 2001-01-01`);
  await ana.seeMessage('No backups of this volume began on Jan 1, 2001.');
  await ana.send('ops', `/belay restore ${id} 2026-02-31`);
  await ana.seeMessage("`2026-02-31` isn't a date.");
});

test("a policy leads to its volumes, and from there to a volume's backups", async () => {
  const { ana, service, portal } = world();
  const volumes = service.volumes(portal.id);
  const policy = firstOf(
    service
      .policies(portal.id)
      .filter(({ id }) => volumes.some((one) => one.protection?.policyId === id)),
  );
  await ana.send('ops', `/belay policy ${policy.name}`);
  const card = await ana.seeMessage('Policy ID');
  await ana.press(card, 'View volumes');
  const list = await ana.seeMessage(`*EBS volumes* of the policy *${policy.name}*`);
  await ana.press(list, 'View backups');
  await ana.seeMessage('*Backups*');
});

test('a page that has become empty gives way to the first', async () => {
  const { ana, service, portal } = world();
  const { volume, total } = backupOfADay();
  await ana.send('ops', `/belay restore ${volume.volume_native_id}`);
  await ana.press(await ana.seeMessage(`*Backups* · 1-10 of ${total}`), 'Older');
  const second = await ana.seeMessage('*Backups* · 11-');
  const ids = service.backups(portal.id).filter(({ volume_id }) => volume_id === volume.id);
  for (const { id } of ids.slice(5)) service.removeBackup(portal.id, id);
  await ana.press(second, 'Refresh');
  await ana.seeMessage('*Backups* · 5 · newest first');
});
