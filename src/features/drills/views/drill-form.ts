import type { Environment } from '../../../dataprotection/resources/environments.ts';
import { requestFields, requestInputs } from '../../../requests/views/request-fields.ts';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { selectField, textField, timeField } from '../../../slack/ui/form-fields.ts';
import { limits } from '../../../slack/ui/limits.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { weekdayNames } from '../../digests/index.ts';
import { environmentLabel, targetFields, volumeTypes } from '../../restores/index.ts';
import { maxVolumes } from '../drill.ts';
import { newDrillValue } from './ids.ts';

export const drillTitle = 'New restore drill';

/** A type that requires a number of IOPS isn't needed to test a backup. */
const types = Object.entries(volumeTypes)
  .filter(([, iops]) => !iops?.isRequired)
  .map(([value]) => ({ value, label: value }));

export const drillForm = defineForm('drills.request', {
  metadata: newDrillValue,
  fields: {
    reason: requestFields.reason,
    volumes: textField({
      label: 'Volumes',
      hint: `Names, volume IDs or tags, one per line, at most ${maxVolumes}. Leave this empty to test a policy.`,
      maxLength: 2000,
      isMultiline: true,
      isOptional: true,
    }),
    policy: textField({
      label: 'Policy',
      hint: 'Instead of volumes. Each run restores one of its volumes: the one tested longest ago.',
      maxLength: 200,
      isOptional: true,
    }),
    environment: selectField({ label: 'Target environment' }),
    ...targetFields,
    type: selectField({ label: 'Volume type', choices: types }),
    every: selectField({
      label: 'Repeat',
      choices: [
        { value: 'week', label: 'Every week' },
        { value: 'month', label: 'Every month, on the first such weekday' },
      ],
    }),
    weekday: selectField({ label: 'Day', choices: weekdayNames }),
    time: timeField({ label: 'Time' }),
    timeZone: textField({
      label: 'Time zone',
      hint: 'City or time zone, for example Berlin or Europe/Berlin.',
      maxLength: 60,
    }),
  },
});

/** `warning`: why the request would be refused, mrkdwn. */
export function drillFormModal(
  environments: Environment[],
  {
    channelId,
    timeZone = 'Etc/UTC',
    warning,
  }: { channelId: string; timeZone?: string | undefined; warning?: string | undefined },
): ModalView {
  const { volumes, policy, environment, zone, type, kmsKey, ...schedule } = drillForm.fields;
  const fitting = environments.filter(({ id }) => id.length <= limits.optionValue);
  const shown = fitting.slice(0, limits.optionsPerMenu);
  const left = environments.length - shown.length;
  const notes = [warning, left > 0 && `${left} environments don't fit into this form.`];
  return drillForm.modal({
    title: drillTitle,
    submit: 'Request approval',
    metadata: { channelId },
    blocks: [
      ...notes.flatMap((note): KnownBlock[] => (note ? [section(note)] : [])),
      volumes.block(),
      policy.block(),
      environment.block(undefined, {
        choices: shown.map((one) => ({ value: one.id, label: environmentLabel(one) })),
      }),
      zone.block(),
      type.block('gp3'),
      kmsKey.block(),
      schedule.every.block('week'),
      schedule.weekday.block('1'),
      schedule.time.block('03:00'),
      schedule.timeZone.block(timeZone),
      ...requestInputs(false),
    ],
  });
}
