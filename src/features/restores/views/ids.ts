import { z } from 'zod';
import type { RequestButton } from '../../../requests/action.ts';
import { type Button, button } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { definePager } from '../../../slack/ui/pager.ts';
import { viewBackupsActionId } from '../../alerts/index.ts';

/** The name of the approvable action. */
export const restoreActionId = 'volumes.restore';
export const formActionId = 'restores.form';
export const chooseDayActionId = 'restores.day';

const id = z.string().min(1).max(maxIdLength);
const start = z.int().min(0);
/** Only the backups that began on this date, in the reader's time zone. */
const day = z.iso.date().optional();
/** Where the answer to a modal goes. */
const channelId = z.string().optional();

export const maxSearchLength = 100;
const maxNameLength = 200;
/** A page of the volumes that a text means, or of those of a policy: the position of its first, from 0. */
export const volumeQuery = z.object({
  text: z.string().max(maxSearchLength),
  start,
  /** Only those that this policy protects. */
  policy: z.object({ id, name: z.string().max(maxNameLength) }).optional(),
  day,
});
export type VolumeQuery = z.infer<typeof volumeQuery>;
export const volumePager = definePager('restores.volumes', 'volumes', volumeQuery);
export const policyVolumesActionId = 'restores.policy';

/** A page of the backups of a volume. */
export const backupQuery = z.object({
  volumeId: id,
  start: start.default(0),
  channelId,
  day,
  /** From an alert, whose id of the volume may be unknown to the list of volumes. */
  name: z.string().optional(),
});
export type BackupQuery = z.infer<typeof backupQuery>;
export const backupPager = definePager('restores.backups', 'backups', backupQuery);

/** `isRepeat`: the person was asked about an open request about the same volume. */
export const formValue = z.object({ backupId: id, channelId, isRepeat: z.boolean().optional() });
export type FormValue = z.infer<typeof formValue>;

export function viewButton(volumeId: string, day?: string | undefined): RequestButton {
  const query = { volumeId, day };
  return { text: 'View backups', actionId: viewBackupsActionId, value: encodeValue(query) };
}

export function formButton(text: string, value: FormValue): RequestButton {
  return { text, actionId: formActionId, value: encodeValue(value) };
}

/** Shows the volumes that the policy protects. Undefined if its id doesn't fit. */
export function policyVolumesButton({
  id,
  name,
}: {
  id: string;
  name: string;
}): Button | undefined {
  if (id.length > maxIdLength) return undefined;
  const query: VolumeQuery = {
    text: '',
    start: 0,
    policy: { id, name: name.slice(0, maxNameLength) },
  };
  return button({
    text: 'View volumes',
    actionId: policyVolumesActionId,
    value: encodeValue(query),
    accessibilityLabel: `View volumes: ${name}`,
  });
}
