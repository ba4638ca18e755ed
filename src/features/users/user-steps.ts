import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/http/errors.ts';
import { deleteUser, updateUser } from '../../dataprotection/resources/users.ts';
import { bold, code } from '../../slack/ui/mrkdwn.ts';
import type { Step } from '../approvals/index.ts';
import { ChangeNotConfirmedError } from './change-not-confirmed-error.ts';
import { findUser } from './find-users.ts';
import type { DeletePayload, RenamePayload, UserPayload } from './user-payload.ts';
import type { UserSnapshot } from './user-snapshot.ts';
import { userMrkdwn } from './views/format-user.ts';
import { askButton } from './views/request-button.ts';

export const disableStep: Step<UserPayload, UserSnapshot> = {
  name: 'disable',
  done: (user) => `${userMrkdwn(user)} is disabled.`,
  was: (user) => `${userMrkdwn(user)} was disabled.`,
  isDone: async (client, { id }) => (await findUser(client, id))?.isEnabled === false,
  execute: (client, { id }) => setEnabled(client, id, false),
  undo: (user) => askButton('enable', 'Re-enable', user),
};

export const enableStep: Step<UserPayload, UserSnapshot> = {
  name: 'enable',
  done: (user) => `${userMrkdwn(user)} is enabled.`,
  isDone: async (client, { id }) => (await findUser(client, id))?.isEnabled === true,
  execute: (client, { id }) => setEnabled(client, id, true),
};

export const renameStep: Step<RenamePayload, UserSnapshot> = {
  name: 'rename',
  done: (user) => `${code(user.email ?? `id ${user.id}`)} is now called ${bold(user.newFullName)}.`,
  isDone: async (client, { id, newFullName }) =>
    (await findUser(client, id))?.fullName === newFullName,
  async execute(client, { id, newFullName }) {
    const { fullName } = await updateUser(client, id, { fullName: newFullName });
    if (fullName !== newFullName) throw new ChangeNotConfirmedError('the user has another name');
  },
};

const deleteStep: Step<DeletePayload, UserSnapshot> = {
  name: 'delete',
  mustBeOurs: true,
  done: (user) => `${userMrkdwn(user)} is deleted.`,
  isDone: isGone,
  async execute(client, user) {
    try {
      await deleteUser(client, user.id);
    } catch (error) {
      // Gone is what was asked for, whoever did it.
      if (!(error instanceof NotFoundError && (await isGone(client, user)))) throw error;
    }
  },
};

/** Without grace at once; else disabled at once, and deleted when the grace is over. */
export function deleteSteps({
  graceMinutes,
}: DeletePayload): [Step<DeletePayload, UserSnapshot>, ...Step<DeletePayload, UserSnapshot>[]] {
  if (graceMinutes === 0) return [deleteStep];
  const afterwards: Step<DeletePayload, UserSnapshot> = {
    ...deleteStep,
    afterMs: (payload) => payload.graceMinutes * 60_000,
    plan: () => 'They will be deleted',
    expects: asDisabled,
  };
  return [{ ...disableStep, mustBeOurs: true }, afterwards];
}

/**
 * Takes a deletion back that has not come to its last step. It gives back what Belay took, no more:
 * who was disabled before stays so, because enabling them would need an approval of its own.
 */
export function keepStep(
  _payload: UserPayload,
  snapshot: UserSnapshot | undefined,
): Step<DeletePayload, UserSnapshot> {
  const keep = { ...enableStep, name: 'keep', expects: asDisabled };
  if (snapshot?.isEnabled === true) {
    return { ...keep, done: (user) => `${userMrkdwn(user)} is kept and enabled again.` };
  }
  const words =
    snapshot?.isEnabled === false
      ? 'is kept, disabled as before.'
      : 'is kept, and stays disabled: it is not known whether they were enabled before.';
  return {
    ...keep,
    done: (user) => `${userMrkdwn(user)} ${words}`,
    isDone: async () => true,
    execute: async () => {},
  };
}

function asDisabled(snapshot: UserSnapshot): UserSnapshot {
  return { ...snapshot, isEnabled: false };
}

async function setEnabled(client: ServiceClient, id: string, isEnabled: boolean): Promise<void> {
  const user = await updateUser(client, id, { isEnabled });
  if (user.isEnabled !== isEnabled) throw new ChangeNotConfirmedError('the user is as before');
}

async function isGone(client: ServiceClient, { id }: UserPayload): Promise<boolean> {
  return (await findUser(client, id)) === undefined;
}
