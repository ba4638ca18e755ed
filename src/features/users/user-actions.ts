import { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/errors.ts';
import { deleteUser, readUser, updateUser } from '../../dataprotection/users.ts';
import { encodeValue } from '../../slack/codec.ts';
import { bold, code } from '../../slack/mrkdwn.ts';
import { type ActionEntry, defineAction } from '../approvals/approvals.ts';
import { askActionIds } from './ids.ts';
import { type UserIdentity, userMrkdwn } from './user-text.ts';
import { ChangeNotConfirmedError } from './users.ts';

const userPayload = z.object({
  id: z.string(),
  fullName: z.string().optional(),
  email: z.string().optional(),
});
const renamePayload = userPayload.extend({ newFullName: z.string() });

const disable = defineAction({
  name: askActionIds.disable,
  payload: userPayload,
  style: 'primary',
  summary: (user) => `disable ${userMrkdwn(user)}`,
  details: identityDetails,
  done: (user) => `${userMrkdwn(user)} is disabled.`,
  undo: ({ id }) => ({
    text: 'Re-enable',
    actionId: askActionIds.enable,
    value: encodeValue({ userId: id }),
  }),
  isDone: async (client, { id }) => (await readUser(client, id)).isEnabled === false,
  execute: (client, { id }) => setEnabled(client, id, false),
});

const enable = defineAction({
  name: askActionIds.enable,
  payload: userPayload,
  style: 'primary',
  summary: (user) => `re-enable ${userMrkdwn(user)}`,
  details: identityDetails,
  done: (user) => `${userMrkdwn(user)} is enabled.`,
  isDone: async (client, { id }) => (await readUser(client, id)).isEnabled === true,
  execute: (client, { id }) => setEnabled(client, id, true),
});

const rename = defineAction({
  name: askActionIds.rename,
  payload: renamePayload,
  style: 'primary',
  summary: (user) => `rename ${userMrkdwn(user)} to ${bold(user.newFullName)}`,
  details: identityDetails,
  done: (user) => `${code(user.email ?? `id ${user.id}`)} is now called ${bold(user.newFullName)}.`,
  isDone: async (client, { id, newFullName }) =>
    (await readUser(client, id)).fullName === newFullName,
  async execute(client, { id, newFullName }) {
    const { fullName } = await updateUser(client, id, { fullName: newFullName });
    if (fullName !== newFullName) throw new ChangeNotConfirmedError('the user has another name');
  },
});

const remove = defineAction({
  name: askActionIds.delete,
  payload: userPayload,
  style: 'danger',
  summary: (user) => `delete ${userMrkdwn(user)}`,
  details: identityDetails,
  warning: () => 'This cannot be undone.',
  done: (user) => `${userMrkdwn(user)} is deleted.`,
  isDone: async (client, { id }) => !(await exists(client, id)),
  execute: (client, { id }) => deleteUser(client, id),
});

/** What may be done to a user of the service, each only with a second person's approval. */
export const userActions: ActionEntry[] = [disable, enable, rename, remove];

/** The summary has the name and the address already. */
function identityDetails({ id }: UserIdentity) {
  return [{ label: 'User id', value: code(id) }];
}

async function setEnabled(client: ServiceClient, id: string, isEnabled: boolean): Promise<void> {
  const user = await updateUser(client, id, { isEnabled });
  if (user.isEnabled !== isEnabled) throw new ChangeNotConfirmedError('the user is as before');
}

async function exists(client: ServiceClient, id: string): Promise<boolean> {
  try {
    await readUser(client, id);
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
