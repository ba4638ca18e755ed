import type { User } from '../../dataprotection/resources/users.ts';
import { isSamePerson } from '../../mailbox.ts';
import { bold, code, readShown } from '../../slack/ui/mrkdwn.ts';
import { isValidTypedName } from '../../slack/ui/typed-name.ts';
import {
  type ActionEntries,
  type ApprovableAction,
  type Check,
  type CheckContext,
  defineAction,
  openSameService,
} from '../approvals/index.ts';
import { bulkActions, removalLimit } from './bulk/bulk-actions.ts';
import { checkLastAdministrator } from './check-last-administrator.ts';
import { checkProtectedUser } from './check-protected-user.ts';
import { checkNamedOwner, checkTokenOwner } from './check-token-owner.ts';
import { findUser } from './find-users.ts';
import { previewUser } from './preview-user.ts';
import {
  type DeletePayload,
  deletePayload,
  type RenamePayload,
  renamePayload,
  snapshotOf,
  type UserPayload,
  type UserSnapshot,
  userPayload,
  userSnapshotSchema,
} from './stored-user.ts';
import { userDifferences } from './user-differences.ts';
import {
  cancelDeletionStep,
  deleteSteps,
  disableStep,
  enableStep,
  renameStep,
} from './user-steps.ts';
import { deletionWarning, userMrkdwn, userText } from './views/format-user.ts';
import { requestActionIds, requestButton, type Verb, viewButton } from './views/ids.ts';

type UserAction<Payload extends UserPayload> = ApprovableAction<Payload, UserSnapshot, User>;

export const disable: UserAction<UserPayload> = {
  ...commonFields('disable'),
  payload: userPayload,
  personalFields: { removed: ['fullName', 'email'], replaced: [] },
  limit: removalLimit,
  style: 'primary',
  summary: (user) => `disable ${userMrkdwn(user)}`,
  steps: () => [disableStep],
  checks: checkRemoval,
};

export const enable: UserAction<UserPayload> = {
  ...commonFields('enable'),
  payload: userPayload,
  personalFields: { removed: ['fullName', 'email'], replaced: [] },
  style: 'primary',
  summary: (user) => `re-enable ${userMrkdwn(user)}`,
  steps: () => [enableStep],
  checks: async () => [],
};

export const rename: UserAction<RenamePayload> = {
  ...commonFields('rename'),
  payload: renamePayload,
  personalFields: { removed: ['fullName', 'email'], replaced: ['newFullName'] },
  style: 'primary',
  summary: (user) => `rename ${userMrkdwn(user)} to ${bold(user.newFullName)}`,
  isShownExactly: (user, seen) => showsSubject(user, seen) && isValidTypedName(user.newFullName),
  audited: (user) => ({ subject: userText(user), newName: user.newFullName }),
  steps: () => [renameStep],
  checks: async () => [],
};

/** Not called `delete`, which is a reserved word. */
export const remove: UserAction<DeletePayload> = {
  ...commonFields('delete'),
  payload: deletePayload,
  personalFields: { removed: ['fullName', 'email'], replaced: [] },
  limit: removalLimit,
  style: 'danger',
  summary: (user) => `delete ${userMrkdwn(user)}`,
  warning: ({ graceMinutes }, snapshot) =>
    deletionWarning(graceMinutes, snapshot?.isEnabled ?? undefined),
  steps: deleteSteps,
  cancellation: {
    step: cancelDeletionStep,
    texts: {
      button: 'Cancel deletion',
      effect:
        'The user is not deleted. If Belay disabled the account for this deletion, it is enabled again.',
      condition: 'unless somebody cancels the deletion',
      tooLate: 'Too late to cancel: the deletion is already running.',
      failed: "Couldn't cancel the deletion.",
    },
  },
  checks: checkRemoval,
};

/** What may be done to a user of the service, each only with a second person's approval. */
export const userActions = {
  'users.disable': defineAction(disable),
  'users.enable': defineAction(enable),
  'users.rename': defineAction(rename),
  'users.delete': defineAction(remove),
  ...bulkActions,
} satisfies Partial<ActionEntries>;

function commonFields(verb: Verb) {
  return {
    name: requestActionIds[verb],
    open: openSameService,
    snapshot: userSnapshotSchema,
    subjectId: ({ id }: UserPayload) => id,
    audited: (user: UserPayload) => ({ subject: userText(user) }),
    // The summary has the name and the address already.
    details: ({ id }: UserPayload) => [{ label: 'User ID', value: code(id) }],
    isShownExactly: showsSubject,
    requestAgain: (user: UserPayload) => requestButton(verb, 'Request again…', user),
    view: viewButton,
    readSubject: (client: CheckContext['service']['client'], { id }: UserPayload) =>
      findUser(client, id),
    snapshotOf,
    preview: previewUser,
    differences: userDifferences,
    isSubject: isSamePerson,
  };
}

/** Long names and addresses are cut, so the id is what tells two users apart. */
function showsSubject({ id, fullName, email }: UserPayload, seen: UserSnapshot): boolean {
  const isSame = fullName === (seen.fullName ?? undefined) && email === (seen.email ?? undefined);
  return isSame && id === seen.id && readShown(code(id)) === id;
}

/** The guards of the actions that disable or delete a user. */
async function checkRemoval(user: User, context: CheckContext): Promise<Check[]> {
  const { client, tokenOwner } = context.service;
  const owner = checkTokenOwner(snapshotOf(user), tokenOwner);
  const unknownOwner =
    owner.result === 'passed' ? await checkNamedOwner(client, tokenOwner) : undefined;
  const { subjectsUnderWay } = context;
  const { protectedUsers } = context.settings.access;
  const protection = await checkProtectedUser(user, { client, protectedUsers });
  return [
    ...(protection ? [protection] : []),
    await checkLastAdministrator(user, { client, subjectsUnderWay }),
    unknownOwner ?? owner,
  ];
}
