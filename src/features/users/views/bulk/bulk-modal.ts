import { z } from 'zod';
import type { User } from '../../../../dataprotection/resources/users.ts';
import {
  actions,
  button,
  context,
  input,
  type KnownBlock,
  section,
} from '../../../../slack/ui/blocks.ts';
import { encodeMetadata, encodeValue } from '../../../../slack/ui/codec.ts';
import { formModal, type ModalView, noticeModal } from '../../../../slack/ui/modal.ts';
import { focused, peopleElement, textElement } from '../../../../slack/ui/view-values.ts';
import { plural } from '../../../../slack/ui/words.ts';
import { reasonHint } from '../../../approvals/index.ts';
import { maxBulkUsers } from '../../bulk/bulk-actions.ts';
import type { LeftOut } from '../../bulk/resolve-users.ts';
import { deletionWarning } from '../format-user.ts';
import {
  type BulkVerb,
  bulkCheckCallbackId,
  bulkContinueActionId,
  bulkRequestCallbackId,
  bulkVerbs,
  countBlockId,
  peopleBlockId,
  reasonBlockId,
  usersBlockId,
} from '../ids.ts';
import { joinLines, listUsers } from './list-users.ts';

export const bulkTitles: Record<BulkVerb, string> = {
  disable: 'Disable users',
  enable: 'Re-enable users',
  delete: 'Delete users',
};

/** What both forms carry. */
export const bulkForm = z.object({ verb: z.enum(bulkVerbs), channelId: z.string().optional() });
export type BulkForm = z.infer<typeof bulkForm>;

/** `leftOut`: how many the person has seen. */
export const continueValue = bulkForm.extend({ leftOut: z.int().positive() });

/** The form that requests approval carries the ids of the users that it shows. */
export const bulkRequestForm = bulkForm.extend({ ids: z.array(z.string()).min(1) });
export type BulkRequestForm = z.infer<typeof bulkRequestForm>;

/** What was typed, and Slack user ids of the people who were picked. */
export type EnteredUsers = { text: string; people: string[] };

/** What is wrong with the users that were entered. `excess`: too many, mrkdwn. */
type UserProblems = { leftOut: LeftOut[]; excess?: string | undefined; readyCount: number };

/** Slack's own limit. */
const maxTyped = 3000;
/** With Slack's other blocks they have to fit into a modal. */
const maxProblemBlocks = 60;

/** The form for entering users, below what is wrong with those entered before. */
export function enterUsersModal(
  form: BulkForm,
  { text, people }: EnteredUsers,
  problems?: UserProblems,
): ModalView {
  return formModal({
    title: bulkTitles[form.verb],
    callbackId: bulkCheckCallbackId,
    submit: 'Check users',
    metadata: encodeValue(form),
    blocks: [
      ...(problems ? problemBlocks(form, problems) : []),
      input({
        blockId: usersBlockId,
        label: 'Users',
        hint: `Enter or paste email addresses or user IDs, separated by commas, spaces or new lines. At most ${maxBulkUsers} users.`,
        element: focused(
          textElement({ maxLength: maxTyped, isMultiline: true, initial: text.slice(0, maxTyped) }),
        ),
        isOptional: true,
      }),
      input({
        blockId: peopleBlockId,
        label: 'People in Slack',
        hint: 'Belay finds their users by email address.',
        element: peopleElement(people),
        isOptional: true,
      }),
    ],
  });
}

function problemBlocks(
  form: BulkForm,
  { leftOut, excess, readyCount }: UserProblems,
): KnownBlock[] {
  if (leftOut.length === 0) return excess ? [section(`⚠ *Too many users*\n${excess}`)] : [];
  const title = `⚠ *${plural(leftOut.length, 'user')} can't be included*`;
  const lines = leftOut.map(({ who, why }) => `• ${who}: ${why}`);
  const texts = joinLines([title, ...lines]);
  const canContinue = readyCount > 0 && excess === undefined;
  return [
    ...texts.slice(0, maxProblemBlocks).map((text) => section(text)),
    ...(excess ? [section(excess)] : []),
    ...(canContinue
      ? [
          actions([
            button({
              text: `Continue without ${leftOut.length === 1 ? 'this user' : `these ${leftOut.length}`}`,
              actionId: bulkContinueActionId,
              value: encodeValue({ ...form, leftOut: leftOut.length }),
              accessibilityLabel: `Continue with ${plural(readyCount, 'user')}`,
            }),
          ]),
        ]
      : []),
  ];
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
  const { verb } = form;
  const metadata = encodeMetadata({ ...form, ids: users.map(({ id }) => id) });
  if (metadata === undefined) {
    const text =
      'The IDs of these users are too long for one form in Slack. No request was sent. Choose fewer users.';
    return noticeModal(bulkTitles[verb], [section(text)]);
  }
  const count = plural(users.length, 'user');
  const listed = users.map(({ lastActivityTimestamp: lastActivity, ...user }) => ({
    ...user,
    lastActivity,
  }));
  return formModal({
    title: bulkTitles[verb],
    callbackId: bulkRequestCallbackId,
    submit: 'Request approval',
    metadata,
    blocks: [
      section(`*${count}*`),
      ...listUsers(listed).map((text) => section(text)),
      ...(leftOut > 0 ? [context(`Left out: ${plural(leftOut, 'user')}`)] : []),
      ...(warning ? [section(warning)] : []),
      ...(verb === 'delete'
        ? [
            section(`⚠ ${deletionWarning(deleteGraceMinutes, undefined, 'the users are')}`),
            input({
              blockId: countBlockId,
              label: 'Number of users to delete',
              hint: `Type ${users.length} to confirm.`,
              element: textElement({ maxLength: 10 }),
            }),
          ]
        : []),
      input({
        blockId: reasonBlockId,
        label: 'Reason',
        hint: reasonHint,
        element: textElement({ maxLength: 500, isMultiline: true }),
      }),
    ],
  });
}
