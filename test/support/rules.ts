import type { Actor } from '../../playground/act-as.ts';
import type { FormValues, Message, OpenView } from '../../playground/slack/protocol.ts';
import { newMessages } from './ask.ts';
import type { World } from './world.ts';

/** The roles, rules and protected users, as an admin sees them now. */
export async function showAccess(admin: Actor): Promise<Message> {
  const seeNew = newMessages(admin);
  await admin.send('ops', '/belay access');
  return seeNew(({ text }) => text.startsWith('Access'));
}

/** Opens the form of a rule from the menu of actions. */
export async function openRule(
  admin: Actor,
  { slack }: Pick<World, 'slack'>,
  action: string,
): Promise<OpenView> {
  const { channelId, messageTs, blocks = [] } = await showAccess(admin);
  const menu = blocks.find((block) => JSON.stringify(block).includes('"access.edit-rule"'));
  await slack.perform(admin.slackUserId, {
    type: 'act',
    container: { kind: 'message', channelId, messageTs },
    blockId: menu?.block_id ?? '',
    actionId: 'access.edit-rule',
    value: JSON.stringify({ action }),
  });
  return admin.seeDialog('All of these approvals are required');
}

export async function openProtectedUsers(admin: Actor): Promise<OpenView> {
  await admin.press(await showAccess(admin), 'Edit protected users…');
  return admin.seeDialog('Belay never disables or deletes these users');
}

/** People and groups of one field. */
export function members(blockId: string, ids: string[]): FormValues {
  return {
    [blockId]: { input: ids.filter((id) => !id.startsWith('S')) },
    [`${blockId}-groups`]: { input: ids.filter((id) => id.startsWith('S')) },
  };
}

/** Requests the change that is shown; resolves to the request as the approver sees it. */
export async function requestReviewed(admin: Actor, approver: Actor): Promise<Message> {
  const seeNew = newMessages(approver);
  const review = await admin.seeDialog('A second person must approve');
  await admin.submit(review, { reason: { input: 'New team' } });
  return seeNew('Waiting for approval.');
}
