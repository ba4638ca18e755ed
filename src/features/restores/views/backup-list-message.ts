import type { Backup } from '../../../dataprotection/resources/backups.ts';
import type { Volume } from '../../../dataprotection/resources/volumes.ts';
import {
  actions,
  button,
  context,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { dateField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import { pagesAround } from '../../../slack/ui/pager.ts';
import { isExpired } from '../stored-restore.ts';
import { formatBackup, formatDay, formatVolume, formatVolumeFacts } from './format-restore.ts';
import {
  type BackupQuery,
  backupPager,
  backupQuery,
  chooseDayActionId,
  formButton,
  viewButton,
} from './ids.ts';

export const backupsPerPage = 10;

/** A page of the backups of a volume, newest first. `canRestore`: whether the reader may request it. */
export function backupListMessage(
  query: BackupQuery,
  {
    volume,
    backups,
    total,
    now,
    canRestore,
  }: { volume: Volume; backups: Backup[]; total: number; now: Date; canRestore: boolean },
): Message {
  const { volumeId, start, channelId, day } = query;
  const end = start + backups.length;
  const count = total > backups.length ? `${start + 1}-${end} of ${total}` : String(total);
  const title = `${formatVolume(volume)}\n${formatVolumeFacts(volume)}`;
  const ofDay = day ? ` on ${formatDay(day)}` : '';
  const pages = pagesAround(query, { total, perPage: backupsPerPage });
  return message([
    section(title),
    section(
      backups.length > 0
        ? `*Backups*${ofDay} · ${count} · newest first`
        : day
          ? `No backups of this volume began${ofDay}.`
          : 'This volume has no backups. A volume that is protected through its EC2 instance may have only backups of the instance.',
    ),
    ...backups.map((backup) => backupSection(backup, { now, canRestore, channelId })),
    actions([
      ...backupPager.buttons(pages, { previous: 'Newer', next: 'Older' }),
      button({ text: 'Choose day…', actionId: chooseDayActionId, value: encodeValue(query) }),
      ...(day ? [button(viewButton(volumeId))] : []),
    ]),
    context(
      [
        ...(canRestore ? [] : ["You can't request restores in this workspace."]),
        `Command: ${code(`/belay restore ${volume.volumeNativeId ?? volume.id}`, 200)}`,
      ].join(' · '),
    ),
  ]);
}

function backupSection(
  backup: Backup,
  { now, canRestore, channelId }: { now: Date; canRestore: boolean; channelId: string | undefined },
): KnownBlock {
  const text = formatBackup(backup, now);
  if (!canRestore || isExpired(backup, now) || backup.id.length > maxIdLength) return section(text);
  const restore = formButton('Restore…', { backupId: backup.id, channelId });
  const accessibilityLabel = `Restore: backup of ${backup.startTimestamp ?? backup.id}`;
  return section(text, button({ ...restore, accessibilityLabel }));
}

/** Asks for the day of which a list shows the backups. */
export const dayForm = defineForm('restores.choose-day', {
  metadata: backupQuery,
  fields: { day: dateField({ label: 'Day', hint: 'In your time zone.' }) },
});

export function dayModal(query: BackupQuery): ModalView {
  const { day } = dayForm.fields;
  return dayForm.modal({
    title: 'Backups of one day',
    submit: 'Show backups',
    metadata: query,
    blocks: [day.block(query.day)],
  });
}
