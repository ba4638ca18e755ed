import type { ServiceClient } from '../../dataprotection/client.ts';
import { deleteUser, type User, updateUser } from '../../dataprotection/resources/users.ts';
import { ExplainedError } from '../../explained-error.ts';
import { bold } from '../../slack/ui/mrkdwn.ts';
import type { RunResult, Step } from '../approvals/index.ts';
import type { DeletePayload, RenamePayload, UserPayload, UserSnapshot } from './stored-user.ts';
import { accountMrkdwn, userMrkdwn } from './views/format-user.ts';
import { requestActionIds, requestButton } from './views/ids.ts';

type UserStep<Payload> = Step<Payload, UserSnapshot, User>;

/** The service answered a change of a user with a user that does not show the change. */
export class ChangeNotConfirmedError extends ExplainedError {
  override name = 'ChangeNotConfirmedError';

  constructor(message: string) {
    const explanation = "The service responded, but doesn't show the change.";
    super(message, explanation, { mayHaveActed: true });
  }
}

export const disableStep: UserStep<UserPayload> = {
  name: 'disable',
  done: (user) => `${accountMrkdwn(user)} is disabled.`,
  was: (user) => `${accountMrkdwn(user)} was disabled.`,
  isDone: async (read) => (await read())?.isEnabled === false,
  run: (client, { id }) => setEnabled(client, id, false),
  undo: (user) => ({
    ...requestButton('enable', 'Re-enable', user),
    action: requestActionIds.enable,
  }),
};

export const enableStep: UserStep<UserPayload> = {
  name: 'enable',
  done: (user) => `${accountMrkdwn(user)} is enabled.`,
  isDone: async (read) => (await read())?.isEnabled === true,
  run: (client, { id }) => setEnabled(client, id, true),
};

export const renameStep: UserStep<RenamePayload> = {
  name: 'rename',
  done: (user) => `${userMrkdwn(user)} is now named ${bold(user.newFullName)}.`,
  isDone: async (read, { newFullName }) => (await read())?.fullName === newFullName,
  async run(client, { id, newFullName }) {
    const { fullName } = await updateUser(client, id, { fullName: newFullName });
    if (fullName !== newFullName) throw new ChangeNotConfirmedError('the user has another name');
    return { state: 'done' };
  },
};

const deleteStep: UserStep<DeletePayload> = {
  name: 'delete',
  mustBeOurs: true,
  removesSubject: true,
  done: (user) => `${accountMrkdwn(user)} is deleted.`,
  isDone: async (read) => (await read()) === undefined,
  async run(client, { id }) {
    await deleteUser(client, id);
    return { state: 'done' };
  },
};

/** Deletes at once without a grace period; otherwise disables first, and deletes after it. */
export function deleteSteps({
  graceMinutes,
}: DeletePayload): [UserStep<DeletePayload>, ...UserStep<DeletePayload>[]] {
  if (graceMinutes === 0) return [deleteStep];
  const afterGracePeriod: UserStep<DeletePayload> = {
    ...deleteStep,
    afterMs: (payload) => payload.graceMinutes * 60_000,
    plan: () => 'The account will be deleted',
    expects: asDisabled,
  };
  return [{ ...disableStep, mustBeOurs: true }, afterGracePeriod];
}

/**
 * Cancels a deletion before its last step. It restores what Belay changed and no more: a user who
 * was disabled before stays disabled, because enabling them would need a separate approval.
 */
export function cancelDeletionStep(
  _payload: UserPayload,
  snapshot: UserSnapshot | undefined,
): UserStep<UserPayload> {
  const cancel: UserStep<UserPayload> = { ...enableStep, name: 'cancel', expects: asDisabled };
  if (snapshot?.isEnabled === true) {
    return {
      ...cancel,
      done: (user) => `The deletion was canceled. ${accountMrkdwn(user)} is enabled again.`,
    };
  }
  const words =
    snapshot?.isEnabled === false
      ? 'stays disabled, as before.'
      : "stays disabled: Belay doesn't know whether the account was enabled before.";
  return {
    ...cancel,
    done: (user) => `The deletion was canceled. ${accountMrkdwn(user)} ${words}`,
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
