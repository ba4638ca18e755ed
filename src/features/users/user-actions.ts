import type { ServiceClient } from '../../dataprotection/client.ts';
import type { User } from '../../dataprotection/resources/users.ts';
import { isSamePerson, mailboxOf } from '../../mailbox.ts';
import type { ActionDefinition, Check, CheckContext } from '../../requests/action.ts';
import { type ActionEntries, defineAction, openSameService } from '../../requests/define-action.ts';
import { bold, code, readShown } from '../../slack/ui/mrkdwn.ts';
import { isValidTypedName } from '../../slack/ui/typed-name.ts';
import { removalLimit, severalDeletions, severalUsers } from './bulk/several-users.ts';
import { checkLastAdministrator } from './check-last-administrator.ts';
import { checkProtectedUser } from './check-protected-user.ts';
import { findUser, isUser } from './find-users.ts';
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
import {
  cancelDeletionStep,
  deleteSteps,
  disableStep,
  enableStep,
  renameStep,
} from './user-steps.ts';
import { cancelDeletionTexts, deletionWarning, userMrkdwn, userText } from './views/format-user.ts';
import { userDifferences } from './views/format-user-differences.ts';
import { requestActionIds, requestButton, type Verb, viewButton } from './views/ids.ts';

type UserAction<Payload extends UserPayload> = ActionDefinition<Payload, UserSnapshot, User>;

/** Of every payload. */
const names: (keyof UserPayload)[] = ['fullName', 'email', 'lastActivity'];

export const disable: UserAction<UserPayload> = {
  name: requestActionIds.disable,
  payload: userPayload,
  personalFields: { removed: names, replaced: [] },
  snapshot: userSnapshotSchema,
  limit: removalLimit,
  describe: (user) => ({
    ...describeUser('disable', user),
    summary: `disable ${userMrkdwn(user)}`,
    steps: [disableStep(user)],
    checks: checkRemoval,
  }),
  several: (users) => severalUsers('disable', users, 'disable'),
};

export const enable: UserAction<UserPayload> = {
  name: requestActionIds.enable,
  payload: userPayload,
  personalFields: { removed: names, replaced: [] },
  snapshot: userSnapshotSchema,
  describe: (user) => ({
    ...describeUser('enable', user),
    summary: `re-enable ${userMrkdwn(user)}`,
    steps: [enableStep(user)],
  }),
  several: (users) => severalUsers('enable', users, 're-enable'),
};

export const rename: UserAction<RenamePayload> = {
  name: requestActionIds.rename,
  payload: renamePayload,
  personalFields: { removed: names, replaced: ['newFullName'] },
  snapshot: userSnapshotSchema,
  describe: (user) => ({
    ...describeUser('rename', user),
    summary: `rename ${userMrkdwn(user)} to ${bold(user.newFullName)}`,
    audited: { subject: userText(user), newName: user.newFullName },
    isShownExactly: (seen) => showsSubject(user, seen) && isValidTypedName(user.newFullName),
    steps: [renameStep(user)],
  }),
};

/** Not called `delete`, which is a reserved word. */
export const remove: UserAction<DeletePayload> = {
  name: requestActionIds.delete,
  payload: deletePayload,
  personalFields: { removed: names, replaced: [] },
  snapshot: userSnapshotSchema,
  limit: removalLimit,
  describe: (user, { snapshot }) => ({
    ...describeUser('delete', user),
    style: 'danger',
    summary: `delete ${userMrkdwn(user)}`,
    warning: deletionWarning(user.graceMinutes, snapshot?.isEnabled ?? undefined),
    steps: deleteSteps(user),
    cancellation: { step: cancelDeletionStep(user, snapshot), texts: cancelDeletionTexts },
    checks: checkRemoval,
  }),
  several: severalDeletions,
};

/** What may be done to a user of the service, each only with a second person's approval. */
export const userActions = {
  'users.disable': defineAction(disable),
  'users.enable': defineAction(enable),
  'users.rename': defineAction(rename),
  'users.delete': defineAction(remove),
} satisfies Partial<ActionEntries>;

function describeUser(verb: Verb, user: UserPayload) {
  return {
    subjectId: user.id,
    audited: { subject: userText(user) },
    // The summary has the name and the address already.
    details: [{ label: 'User ID', value: code(user.id) }],
    style: 'primary' as const,
    isShownExactly: (seen: UserSnapshot) => showsSubject(user, seen),
    requestAgain: requestButton(verb, 'Request again…', user),
    view: viewButton(user),
    open: openSameService,
    readSubject: (client: ServiceClient) => findUser(client, user.id),
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
  const protection = await checkProtectedUser(client, user, protectedUsers);
  return [
    ...(protection ? [protection] : []),
    await checkLastAdministrator(user, { client, subjectsUnderWay }),
    unknownOwner ?? owner,
  ];
}

const label = 'token_owner';

/**
 * Refuses to lose the user whose token Belay uses, because the token would stop working. `tokenOwner`
 * is an e-mail address or an id, as entered in setup.
 */
export function checkTokenOwner(
  { id, email }: Pick<UserSnapshot, 'id' | 'email'>,
  tokenOwner: string | undefined,
): Check {
  const owner = tokenOwner?.trim();
  if (!owner) {
    return notCheckable('not set in setup');
  }
  const [ownMailbox, mailbox] = [mailboxOf(owner), mailboxOf(email)];
  if (
    owner.toLowerCase() === id.toLowerCase() ||
    (mailbox !== undefined && ownMailbox === mailbox)
  ) {
    const detail =
      "This user owns Belay's API token, so disabling or deleting the account would disable Belay too. Give Belay another user's token in `/belay setup` first.";
    return { label, result: 'refused', detail };
  }
  if (ownMailbox !== undefined && mailbox === undefined) {
    return notCheckable('this user has no email address');
  }
  return { label, result: 'passed', words: "this user isn't the token owner" };
}

/**
 * The reason why the token owner can't be checked: the service doesn't have the user that setup names,
 * or it didn't answer in time. Either way the check would pass for everyone. Undefined when the owner
 * exists, or setup names none.
 */
export async function checkNamedOwner(
  client: ServiceClient,
  tokenOwner: string | undefined,
): Promise<Check | undefined> {
  const owner = tokenOwner?.trim();
  const isThere = owner ? await isUser(client, owner) : true;
  if (isThere) return undefined;
  return notCheckable(
    isThere === false ? 'no user has the address or ID in setup' : 'the service was too slow',
  );
}

function notCheckable(detail: string): Check {
  return { label, result: 'not_checkable', words: 'token owner', detail };
}
