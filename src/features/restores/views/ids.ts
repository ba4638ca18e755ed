import { z } from 'zod';
import type { RequestButton } from '../../../requests/action.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { definePager } from '../../../slack/ui/pager.ts';
import { viewBackupsActionId } from '../../alerts/index.ts';

/** The name of the approvable action. */
export const restoreActionId = 'volumes.restore';
export const formActionId = 'restores.form';

const id = z.string().min(1).max(maxIdLength);
const start = z.int().min(0);
/** Where the answer to a modal goes. */
const channelId = z.string().optional();

export const maxSearchLength = 100;
/** A page of the volumes that a text means: the position of its first, from 0. */
const volumeQuery = z.object({ text: z.string().max(maxSearchLength), start });
export type VolumeQuery = z.infer<typeof volumeQuery>;
export const volumePager = definePager('restores.volumes', 'volumes', volumeQuery);

/** A page of the backups of a volume. */
export const backupQuery = z.object({ volumeId: id, start: start.default(0), channelId });
export type BackupQuery = z.infer<typeof backupQuery>;
export const backupPager = definePager('restores.backups', 'backups', backupQuery);

/** `isRepeat`: the person was asked about an open request about the same volume. */
export const formValue = z.object({ backupId: id, channelId, isRepeat: z.boolean().optional() });
export type FormValue = z.infer<typeof formValue>;

export function viewButton(volumeId: string): RequestButton {
  return { text: 'View backups', actionId: viewBackupsActionId, value: encodeValue({ volumeId }) };
}

export function formButton(text: string, value: FormValue): RequestButton {
  return { text, actionId: formActionId, value: encodeValue(value) };
}
