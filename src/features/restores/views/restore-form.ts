import { z } from 'zod';
import type { Backup } from '../../../dataprotection/resources/backups.ts';
import {
  type Environment,
  isRestoreTarget,
} from '../../../dataprotection/resources/environments.ts';
import type { Volume } from '../../../dataprotection/resources/volumes.ts';
import { requestFields, requestInputs } from '../../../requests/views/request-fields.ts';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered, type FormErrors } from '../../../slack/ui/form.ts';
import { optionalNumberField, selectField, textField } from '../../../slack/ui/form-fields.ts';
import { limits } from '../../../slack/ui/limits.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import {
  type ChosenEnvironment,
  checkTarget,
  compareOrigin,
  isOriginOf,
  parseTags,
  volumeTypes,
} from '../check-target.ts';
import { formatBackup, formatVolume } from './format-restore.ts';
import { formValue } from './ids.ts';

export const restoreTitle = 'Restore volume';

const maxTagsLength = 3000;

/** Of every form that says where to restore a backup to. */
export const targetFields = {
  zone: textField({
    label: 'Availability zone',
    maxLength: 40,
    missing: 'Enter an availability zone, such as us-east-1a.',
  }),
  kmsKey: textField({
    label: 'KMS key ID',
    hint: 'Required for encrypted backups and for other accounts.',
    maxLength: 200,
    isOptional: true,
  }),
};

export const restoreForm = defineForm('restores.request', {
  metadata: formValue.extend({ isEncrypted: z.boolean(), key: z.string().optional() }),
  fields: {
    // First, because it is repeated if the request can't be made.
    ...requestFields,
    environment: selectField({ label: 'Environment' }),
    ...targetFields,
    type: selectField({ label: 'Volume type' }),
    iops: optionalNumberField({
      label: 'IOPS',
      hint: 'Only for gp3, io1 and io2.',
      min: 1,
      max: 256_000,
    }),
    tags: textField({
      label: 'Tags',
      hint: 'One key=value per line. Tags can match protection rules and start backups of the new volume.',
      maxLength: maxTagsLength,
      isMultiline: true,
      isOptional: true,
    }),
  },
});

type Source = { volume: Volume; backup: Backup; environments: Environment[] };

/** The form, filled in with the volume as it was. `warning`: why the request would be refused, mrkdwn. */
export function restoreModal(
  { volume, backup, environments }: Source,
  {
    now,
    warning,
    mayBreakGlass,
    ...place
  }: {
    now: Date;
    warning?: string | undefined;
    mayBreakGlass?: boolean | undefined;
    channelId?: string | undefined;
    isRepeat?: boolean | undefined;
  },
): ModalView {
  const { environment, zone, type, iops, kmsKey, tags } = restoreForm.fields;
  const targets = listTargets(backup, environments);
  const shown = targets.slice(0, limits.optionsPerMenu);
  const home = shown.find((target) => isOriginOf(target, backup));
  const { text: tagText, left } = formatTags(backup.tags ?? volume.tags ?? []);
  const { volumeType = '' } = backup;
  const isKnown = volumeType !== '' && volumeType.length <= limits.optionValue;
  const types = [...new Set([...Object.keys(volumeTypes), ...(isKnown ? [volumeType] : [])])];
  const notes = [
    targets.length > shown.length &&
      `Showing ${shown.length} of ${targets.length} environments. Restore to the others in the service's portal.`,
    left > 0 && `${left} tags of the volume don't fit into this form.`,
  ].filter((note) => note !== false);
  return restoreForm.modal({
    title: restoreTitle,
    submit: 'Request approval',
    metadata: {
      ...place,
      backupId: backup.id,
      isEncrypted: backup.isEncrypted ?? false,
      key: backup.kmsKeyNativeId,
    },
    blocks: [
      section(`${formatVolume(volume)}\n${formatBackup(backup, now)}`),
      ...[...(warning ? [warning] : []), ...notes].map((note): KnownBlock => section(note)),
      environment.block(home && encodeTarget(home, backup), {
        choices: shown.map((target) => ({
          value: encodeTarget(target, backup),
          label: `${environmentLabel(target)}${target === home ? ' · as it was' : ''}`,
        })),
      }),
      zone.block(home ? backup.awsAz : undefined),
      type.block(isKnown ? volumeType : 'gp3', {
        choices: types.map((value) => ({ value, label: value })),
      }),
      iops.block(volumeTypes[volumeType] ? backup.iops : undefined),
      kmsKey.block(home ? backup.kmsKeyNativeId : undefined),
      tags.block(tagText),
      ...requestInputs(mayBreakGlass),
    ],
  });
}

/** Its own environment first, then those of its account. A snapshot stays where it lies. */
export function listTargets(backup: Backup, environments: Environment[]): Environment[] {
  const distance = (one: Environment) =>
    isOriginOf(one, backup) ? 0 : one.accountNativeId === backup.accountNativeId ? 1 : 2;
  return environments
    .filter((one) => isRestoreTarget(one) && encodeTarget(one, backup).length <= limits.optionValue)
    .filter((one) => backup.type !== 'aws_snapshot' || isOriginOf(one, backup))
    .toSorted(
      (one, other) =>
        distance(one) - distance(other) ||
        environmentLabel(one).localeCompare(environmentLabel(other)),
    );
}

/** "production (123456789012) · us-east-1": plain text, for a menu. */
export function environmentLabel({
  id,
  accountName,
  accountNativeId = id,
  awsRegion,
}: Environment): string {
  const account = accountName ? `${accountName} (${accountNativeId})` : accountNativeId;
  return [account, awsRegion].filter(Boolean).join(' · ');
}

/**
 * What checking the form takes, in the 75 characters that the value of an option has: the relation to the
 * backup (1: same account, 2: same region), the letters of the zones, the region and the id.
 */
function encodeTarget(environment: Environment, backup: Backup) {
  const { id, awsRegion = '', awsAz = [] } = environment;
  const { isSameAccount, isSameRegion } = compareOrigin(environment, backup);
  const relation = (isSameAccount ? 1 : 0) + (isSameRegion ? 2 : 0);
  const letters = awsAz
    .filter((zone) => zone.length === awsRegion.length + 1 && zone.startsWith(awsRegion))
    .map((zone) => zone.slice(-1));
  return `${relation}${letters.join('')} ${awsRegion} ${id}`;
}

/** Undefined for what no form of today has. */
export function decodeTarget(
  value: string | undefined,
): (ChosenEnvironment & { id: string }) | undefined {
  const found = /^([0-3])([a-z]*) (\S*) (.+)$/s.exec(value ?? '');
  if (!found) return undefined;
  const [, relation, letters = '', region = '', id = ''] = found;
  const zones = Array.from(letters, (letter) => region + letter);
  const flags = Number(relation);
  return { id, region, zones, isSameAccount: flags % 2 === 1, isSameRegion: flags >= 2 };
}

/** Errors that keep the form open. */
export function checkForm(
  entered: Entered<typeof restoreForm.fields>,
  source: { isEncrypted: boolean; key?: string | undefined },
): FormErrors {
  const environment = decodeTarget(entered.environment);
  if (!environment) return { environment: 'Choose an environment.' };
  if (!entered.type) return { type: 'Choose a volume type.' };
  return checkTarget(entered, environment, source);
}

/** As many tags as the form holds, one on each line, without those of AWS. */
function formatTags(tags: { key: string; value: string }[]): { text: string; left: number } {
  let text = '';
  let left = 0;
  for (const { key, value } of tags) {
    if (/^aws:/i.test(key)) continue;
    const line = `${key}=${value}`;
    const isReadable =
      JSON.stringify(parseTags(line)) === JSON.stringify({ tags: [{ key, value }] });
    const longer = text ? `${text}\n${line}` : line;
    if (isReadable && longer.length <= maxTagsLength) text = longer;
    else left += 1;
  }
  return { text, left };
}
