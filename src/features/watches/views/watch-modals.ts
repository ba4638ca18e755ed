import { isDirectChannel } from '../../../slack/api/channel.ts';
import { context, type KnownBlock } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered, type FormErrors } from '../../../slack/ui/form.ts';
import { selectField, textField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { channelMention } from '../../../slack/ui/mrkdwn.ts';
import {
  type AlertSearch,
  type AlertValues,
  checkFilter,
  filterFields,
  filterInputs,
} from '../../alerts/index.ts';
import { type GroupChoice, groupNotice, hasGroupMenus, labelOf } from '../../setup/index.ts';
import { readQuietHours } from '../quiet-hours.ts';
import { formatAfter, type Reminder, reminder, reminderMinutes } from '../reminders/reminder.ts';
import type { Watch } from '../watch.ts';
import { createMetadata, editMetadata } from './ids.ts';

const none = 'none';

const watchFields = {
  ...filterFields,
  quietHours: textField({ label: 'Quiet hours', maxLength: 40, isOptional: true }),
  remindAfter: selectField({
    label: 'Remind about errors without an owner',
    hint: "The wait doubles after each reminder, up to a day. Acknowledged and snoozed errors aren't counted.",
    choices: [
      { value: none, label: 'Off' },
      ...reminderMinutes.map((afterMinutes) => ({
        value: String(afterMinutes),
        label: `After ${formatAfter({ afterMinutes })}`,
      })),
    ],
  }),
  remindGroup: selectField({ label: 'User group to mention in reminders' }),
};

/** Slack's maximum for a menu. */
const maxChoices = 100;

/** What the forms show until Slack has listed the user groups. */
export const editPending = { title: 'Edit watch', waiting: 'Loading…' };
export const newWatchPending = { title: 'Add watch', waiting: 'Loading…' };

type WatchFields = Pick<Watch, 'search'> & Partial<Pick<Watch, 'quietHours' | 'reminder'>>;
type WatchChoices = { known: AlertValues; groups: GroupChoice };

export const editForm = defineForm('watches.edit', {
  metadata: editMetadata,
  fields: watchFields,
});

export function checkWatch(entered: Entered<typeof editForm.fields>): FormErrors {
  const { quietHours } = entered;
  const isValid = quietHours === '' || readQuietHours(quietHours, undefined) !== undefined;
  return {
    ...checkFilter(entered),
    quietHours: isValid ? undefined : 'Enter two times, such as 22:00-07:00.',
  };
}

/** `known` are the severities and types to choose from, `groups` the user groups. */
function watchInputs(
  { search, quietHours, reminder: current }: WatchFields,
  timeZone: string | undefined,
  { known, groups }: WatchChoices,
): KnownBlock[] {
  const { remindAfter, remindGroup } = editForm.fields;
  const { from, to } = quietHours ?? {};
  const choices = [
    { value: none, label: 'No group' },
    ...(groups.groups ?? []).map((group) => ({ value: group.id, label: labelOf(group) })),
  ];
  return [
    ...filterInputs(search, known, { hasListOptions: false }),
    editForm.fields.quietHours.block(from && to && `${from}-${to}`, {
      hint: `For example 22:00-07:00, in ${quietHours?.timeZone ?? timeZone ?? 'UTC'}. Warnings and notices are posted as one summary at the end, errors immediately.`,
    }),
    remindAfter.block(String(current?.afterMinutes ?? none)),
    ...(hasGroupMenus(groups)
      ? [remindGroup.block(current?.group ?? none, { choices: choices.slice(0, maxChoices) })]
      : []),
    ...groupNotice(groups),
  ];
}

/** Reads the choices. Without a menu of groups, the group of `before` stays. */
export function enteredReminder(
  { remindAfter, remindGroup }: Entered<typeof editForm.fields>,
  { hasGroups, before }: { hasGroups: boolean; before?: Reminder | undefined },
): Reminder | undefined {
  const chosen = remindGroup === none ? undefined : remindGroup;
  const group = hasGroups ? chosen : before?.group;
  return reminder.safeParse({ afterMinutes: Number(remindAfter), ...(group && { group }) }).data;
}

export function editWatchModal(
  watch: WatchFields & Pick<Watch, 'id'>,
  { channelId, timeZone }: { channelId: string | undefined; timeZone: string | undefined },
  choices: WatchChoices,
): ModalView {
  return editForm.modal({
    title: editPending.title,
    submit: 'Save',
    metadata: { watchId: watch.id, channelId, hasGroups: hasGroupMenus(choices.groups) },
    blocks: [
      ...watchInputs(watch, timeZone, choices),
      context('Applies to new alerts. An empty form posts every alert.'),
    ],
  });
}

export const createForm = defineForm('watches.create', {
  metadata: createMetadata,
  fields: watchFields,
});

/** For a watch that begins with the filter of a list. */
export function newWatchModal(
  search: AlertSearch,
  { channelId, timeZone }: { channelId: string; timeZone: string | undefined },
  choices: WatchChoices,
): ModalView {
  const where = isDirectChannel(channelId)
    ? 'your direct messages with Belay'
    : channelMention(channelId);
  return createForm.modal({
    title: newWatchPending.title,
    submit: 'Add watch',
    metadata: { channelId, hasGroups: hasGroupMenus(choices.groups) },
    blocks: [
      ...watchInputs({ search }, timeZone, choices),
      context(`New alerts are posted in ${where}. An empty form posts every alert.`),
    ],
  });
}
