import { z } from 'zod';
import type { User } from '../../../dataprotection/resources/users.ts';
import { requestFields } from '../../../requests/views/request-fields.ts';
import {
  actions,
  button,
  context,
  joinToSections,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeMetadata, encodeValue } from '../../../slack/ui/codec.ts';
import { defineForm, type Entered } from '../../../slack/ui/form.ts';
import { peopleField, textField } from '../../../slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { LeftOut } from '../bulk/resolve-users.ts';
import { maxBulkUsers } from '../bulk/several-users.ts';
import { payloadOf } from '../stored-user.ts';
import { deletionWarning, listUsers } from './format-user.ts';
import { type BulkVerb, bulkContinueActionId, bulkVerbs } from './ids.ts';

export const bulkTitles: Record<BulkVerb, string> = {
  disable: 'Disable users',
  enable: 'Re-enable users',
  delete: 'Delete users',
};

/** What both forms carry. `reason`: typed with the command. */
export const bulkForm = z.object({
  verb: z.enum(bulkVerbs),
  channelId: z.string().optional(),
  reason: z.string().max(500).optional(),
});
export type BulkForm = z.infer<typeof bulkForm>;

/** `leftOut`: how many the person has seen. */
export const continueValue = bulkForm.extend({ leftOut: z.int().positive() });

/** Slack's own limit. */
const maxTyped = 3000;

export const enterUsersForm = defineForm('users.bulk_check', {
  metadata: bulkForm,
  fields: {
    users: textField({
      label: 'Users',
      hint: `Enter or paste email addresses, user IDs or names. Separate names with commas. At most ${maxBulkUsers} users.`,
      maxLength: maxTyped,
      isMultiline: true,
      isFocused: true,
      isOptional: true,
    }),
    people: peopleField({
      label: 'People in Slack',
      hint: 'Belay finds their users by email address.',
      isOptional: true,
    }),
  },
});

/** What was typed, and Slack user ids of the people who were picked. */
export type EnteredUsers = Entered<typeof enterUsersForm.fields>;

export const requestUsersForm = defineForm('users.bulk_request', {
  /** The ids of the users that the form shows. */
  metadata: bulkForm.extend({ ids: z.array(z.string()).min(1) }),
  fields: {
    reason: requestFields.reason,
    count: textField({ label: 'Number of users to delete', maxLength: 10 }),
  },
});

/** What is wrong with the users that were entered. `excess`: too many, mrkdwn. */
type UserProblems = { leftOut: LeftOut[]; excess?: string | undefined; readyCount: number };
/** Why they couldn't be looked up, as mrkdwn. */
type LookupFailure = { failure: string };

/** With Slack's other blocks they have to fit into a modal. */
const maxProblemBlocks = 60;

/** The form for entering users, below what is wrong with those entered before. */
export function enterUsersModal(
  form: BulkForm,
  { users, people }: EnteredUsers,
  problems?: UserProblems | LookupFailure,
): ModalView {
  const { fields } = enterUsersForm;
  return enterUsersForm.modal({
    title: bulkTitles[form.verb],
    submit: 'Check users',
    metadata: form,
    blocks: [
      ...(problems ? problemBlocks(form, problems) : []),
      fields.users.block(users.slice(0, maxTyped)),
      fields.people.block(people),
    ],
  });
}

function problemBlocks(form: BulkForm, problems: UserProblems | LookupFailure): KnownBlock[] {
  if ('failure' in problems) return [section(`⚠ ${problems.failure}`)];
  const { leftOut, excess, readyCount } = problems;
  if (leftOut.length === 0) return excess ? [section(`⚠ *Too many users*\n${excess}`)] : [];
  const title = `⚠ *${plural(leftOut.length, 'user')} can't be included*`;
  const lines = leftOut.map(({ who, why }) => `• ${who}: ${why}`);
  const texts = joinToSections([title, ...lines]);
  const canContinue = readyCount > 0 && excess === undefined;
  return [
    ...texts.slice(0, maxProblemBlocks).map((text) => section(text)),
    ...(excess ? [section(excess)] : []),
    ...(canContinue ? [actions([continueButton(form, leftOut.length, readyCount)])] : []),
  ];
}

function continueButton(form: BulkForm, leftOut: number, readyCount: number) {
  const text = `Continue without ${leftOut === 1 ? 'this user' : `these ${leftOut}`}`;
  return button({
    text,
    actionId: bulkContinueActionId,
    value: encodeValue({ ...form, leftOut }),
    accessibilityLabel: `${text}: ${plural(readyCount, 'user')} remaining`,
  });
}

/** The form that shows exactly who is requested. `warning`: why it would be refused, mrkdwn. */
export function requestUsersModal(
  form: BulkForm,
  users: User[],
  {
    deleteGraceMinutes,
    leftOut,
    warning,
  }: { deleteGraceMinutes: number; leftOut: number; warning: string | undefined },
): ModalView {
  const { verb, channelId } = form;
  const metadata = { verb, channelId, ids: users.map(({ id }) => id) };
  if (encodeMetadata(metadata) === undefined) {
    const text =
      'The IDs of these users are too long for one form in Slack. No request was sent. Choose fewer users.';
    return noticeModal(bulkTitles[verb], text);
  }
  const count = plural(users.length, 'user');
  const { reason, count: countField } = requestUsersForm.fields;
  return requestUsersForm.modal({
    title: bulkTitles[verb],
    submit: 'Request approval',
    metadata,
    blocks: [
      section(`*${count}*`),
      ...listUsers(users.map(payloadOf)).map((text) => section(text)),
      ...(leftOut > 0 ? [context(`Left out: ${plural(leftOut, 'user')}`)] : []),
      ...(warning ? [section(warning)] : []),
      ...(verb === 'delete'
        ? [
            section(`⚠ ${deletionWarning(deleteGraceMinutes, undefined, 'the users are')}`),
            countField.block(undefined, { hint: `Type ${users.length} to confirm.` }),
          ]
        : []),
      reason.block(form.reason),
    ],
  });
}
