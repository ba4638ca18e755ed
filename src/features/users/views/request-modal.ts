import { z } from 'zod';
import type { User } from '../../../dataprotection/resources/users.ts';
import { requestFields, requestInputs } from '../../../requests/views/request-fields.ts';
import { button, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { code } from '../../../slack/ui/mrkdwn.ts';
import { showExactly } from '../../../slack/ui/visible.ts';
import type { FoundUsers } from '../find-users.ts';
import {
  deletionWarning,
  formatActivity,
  formatMatches,
  formatState,
  incompleteSearch,
  userMrkdwn,
  userPlain,
} from './format-user.ts';
import { chooseActionId, type Verb, verbs } from './ids.ts';

/** What a command says beside the user. */
const filledIn = z.object({
  reason: z.string().max(500).optional(),
  newName: z.string().max(255).optional(),
});
export type FilledIn = z.infer<typeof filledIn>;

export const requestMetadata = z.object({
  verb: z.enum(verbs),
  userId: z.string(),
  channelId: z.string().optional(),
  /** What must be typed, for the check in the form; the submission reads it again from the service. */
  toType: z.string().optional(),
  /** The person was asked about an open request for the same change. */
  isRepeat: z.boolean().optional(),
  /** Until the form opens. */
  filledIn: filledIn.optional(),
});
export type RequestMetadata = z.infer<typeof requestMetadata>;

/** The metadata of a form whose user is still to be looked up. */
export type FormInput = Omit<RequestMetadata, 'userId' | 'toType'>;

/** RFC 3696: 64 characters before the @ and 255 after it. */
const maxAddressLength = 320;

export const requestForm = defineForm('users.request', {
  metadata: requestMetadata,
  fields: {
    ...requestFields,
    fullName: textField({ label: 'New name', maxLength: 255 }),
    email: textField({ label: 'Email address of this user', maxLength: maxAddressLength }),
  },
});

export const modalTitles: Record<Verb, string> = {
  disable: 'Disable user',
  enable: 'Re-enable user',
  rename: 'Rename user',
  delete: 'Delete user',
};

/** The form of a request about one user. `warning`: why it would be refused, mrkdwn. */
export function requestModal(
  user: User,
  { verb, channelId, isRepeat, filledIn = {} }: FormInput,
  {
    deleteGraceMinutes,
    mayBreakGlass,
    warning,
  }: {
    deleteGraceMinutes: number;
    mayBreakGlass?: boolean | undefined;
    warning?: string | undefined;
  },
): ModalView {
  const toType = verb === 'delete' ? confirmationText(user) : undefined;
  const about = { verb, userId: user.id, channelId };
  return requestForm.modal({
    title: modalTitles[verb],
    submit: 'Request approval',
    metadata: { ...about, toType, isRepeat },
    blocks: [
      section(`${userMrkdwn(user)}\nUser ID ${code(user.id)} · ${formatState(user)}`),
      ...(warning ? [section(warning)] : []),
      ...verbBlocks(verb, user, { deleteGraceMinutes, newName: filledIn.newName }),
      ...requestInputs(mayBreakGlass, filledIn.reason),
    ],
  });
}

function verbBlocks(
  verb: Verb,
  user: User,
  { deleteGraceMinutes, newName }: { deleteGraceMinutes: number; newName: string | undefined },
): KnownBlock[] {
  const { fullName, email } = requestForm.fields;
  if (verb === 'rename') return [fullName.block(newName ?? user.fullName?.slice(0, 255))];
  if (verb !== 'delete') return [];
  const toType = confirmationText(user);
  const label = toType === user.email ? {} : { label: 'ID of this user' };
  return [
    section(`⚠ ${deletionWarning(deleteGraceMinutes, user.isEnabled)}`),
    email.block(undefined, { ...label, hint: `Type ${toType} to confirm.` }),
  ];
}

/** What must be typed to confirm a deletion: the address if it can be seen and typed, else the id. */
export function confirmationText({ id, email }: User): string {
  const canType = email && email.length <= maxAddressLength && showExactly(email) === email;
  return canType ? email : id;
}

/** Lets the person choose when several users match. */
export function chooseModal(
  query: string,
  { users, isComplete }: FoundUsers,
  { verb, channelId, filledIn }: FormInput,
): ModalView {
  const shown = users.slice(0, 20);
  const notes = [
    ...(users.length > shown.length ? [`Showing the first ${shown.length}.`] : []),
    ...(isComplete ? [] : [incompleteSearch]),
  ];
  return noticeModal(modalTitles[verb], [
    section([`${formatMatches(users.length, query)} Choose one.`, ...notes].join(' ')),
    ...shown.map((user) =>
      section(
        `${userMrkdwn(user)}\nUser ID ${code(user.id)} · ${formatState(user)} · last activity: ${formatActivity(user.lastActivityTimestamp)}`,
        user.id.length > maxIdLength
          ? undefined
          : button({
              text: 'Select',
              actionId: chooseActionId,
              value: encodeValue({ verb, userId: user.id, channelId, filledIn }),
              accessibilityLabel: `Select: ${userPlain(user)}`,
            }),
      ),
    ),
  ]);
}
