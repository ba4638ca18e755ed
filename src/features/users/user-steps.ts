import type { ServiceClient } from '../../dataprotection/client.ts';
import { deleteUser, type User, updateUser } from '../../dataprotection/resources/users.ts';
import { ExplainedError } from '../../explained-error.ts';
import type { RunResult, Step } from '../../requests/action.ts';
import { bold } from '../../slack/ui/mrkdwn.ts';
import type { DeletePayload, RenamePayload, UserPayload, UserSnapshot } from './stored-user.ts';
import { accountMrkdwn, userMrkdwn } from './views/format-user.ts';
import { requestActionIds, requestButton } from './views/ids.ts';

type UserStep = Step<UserSnapshot, User>;

/** The service answered a change of a user with a user that does not show the change. */
export class ChangeNotConfirmedError extends ExplainedError {
  override name = 'ChangeNotConfirmedError';

  constructor(message: string) {
    const explanation = "The service responded, but doesn't show the change.";
    super(message, explanation, { mayHaveActed: true });
  }
}

export function disableStep(user: UserPayload): UserStep {
  return {
    name: 'disable',
    done: `${accountMrkdwn(user)} is disabled.`,
    was: `${accountMrkdwn(user)} was disabled.`,
    doneForNow: `${accountMrkdwn(user)} is disabled only for a deletion that can still be canceled. If somebody cancels the deletion, submit the request again.`,
    isDone: async (read) => (await read())?.isEnabled === false,
    run: (client) => setEnabled(client, user.id, false),
    undo: { ...requestButton('enable', 'Re-enable', user), action: requestActionIds.enable },
  };
}

export function enableStep(user: UserPayload): UserStep {
  return {
    name: 'enable',
    done: `${accountMrkdwn(user)} is enabled.`,
    isDone: async (read) => (await read())?.isEnabled === true,
    run: (client) => setEnabled(client, user.id, true),
  };
}

export function renameStep(user: RenamePayload): UserStep {
  const { id, newFullName } = user;
  return {
    name: 'rename',
    done: `${userMrkdwn(user)} is now named ${bold(newFullName)}.`,
    isDone: async (read) => (await read())?.fullName === newFullName,
    async run(client) {
      const { fullName } = await updateUser(client, id, { fullName: newFullName });
      if (fullName !== newFullName) throw new ChangeNotConfirmedError('the user has another name');
      return { state: 'done' };
    },
  };
}

/** Deletes at once without a grace period; otherwise disables first, and deletes after it. */
export function deleteSteps(user: DeletePayload): [UserStep, ...UserStep[]] {
  const deleteStep: UserStep = {
    name: 'delete',
    mustBeOurs: true,
    removesSubject: true,
    done: `${accountMrkdwn(user)} is deleted.`,
    isDone: async (read) => (await read()) === undefined,
    async run(client) {
      await deleteUser(client, user.id);
      return { state: 'done' };
    },
  };
  if (user.graceMinutes === 0) return [deleteStep];
  const afterGracePeriod: UserStep = {
    ...deleteStep,
    afterMs: user.graceMinutes * 60_000,
    plan: 'The account will be deleted',
    expects: asDisabled,
  };
  return [{ ...disableStep(user), mustBeOurs: true }, afterGracePeriod];
}

/**
 * Cancels a deletion before its last step. It restores what Belay changed and no more: a user who
 * was disabled before stays disabled, because enabling them would need a separate approval.
 */
export function cancelDeletionStep(
  user: UserPayload,
  snapshot: UserSnapshot | undefined,
): UserStep {
  const done = (words: string) => `The deletion was canceled. ${accountMrkdwn(user)} ${words}`;
  const cancel: UserStep = { ...enableStep(user), name: 'cancel', expects: asDisabled };
  if (snapshot?.isEnabled === true) return { ...cancel, done: done('is enabled again.') };
  const words =
    snapshot?.isEnabled === false
      ? 'stays disabled, as before.'
      : "stays disabled: Belay doesn't know whether the account was enabled before.";
  return {
    ...cancel,
    done: done(words),
    isDone: async () => true,
    run: async () => ({ state: 'done' }),
  };
}

function asDisabled(snapshot: UserSnapshot): UserSnapshot {
  return { ...snapshot, isEnabled: false };
}

async function setEnabled(
  client: ServiceClient,
  id: string,
  isEnabled: boolean,
): Promise<RunResult> {
  const user = await updateUser(client, id, { isEnabled });
  if (user.isEnabled !== isEnabled) throw new ChangeNotConfirmedError('the user is as before');
  return { state: 'done' };
}
