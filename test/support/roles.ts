import type { Actor } from '../../playground/act-as.ts';
import type { FormValues, Message, OpenView } from '../../playground/slack/protocol.ts';
import { messagesOf } from './ask.ts';

type Role = 'viewers' | 'operators' | 'approvers' | 'auditors' | 'admins';
/** Ids of people and user groups; what is not given stays as the form has it. */
export type RoleChoices = Partial<Record<Role, string[]>>;

export async function openRoles(admin: Actor): Promise<OpenView> {
  const known = new Set(messagesOf(admin).map(({ messageTs }) => messageTs));
  await admin.send('ops', '/belay access');
  const list = await admin.see(
    () =>
      messagesOf(admin).find(
        ({ messageTs, text }) => !known.has(messageTs) && text.startsWith('Access'),
      ),
    'who has which role',
  );
  await admin.press(list, 'Change roles…');
  return admin.seeDialog('People who can request changes');
}

export function roleValues(choices: RoleChoices): FormValues {
  return Object.fromEntries(
    Object.entries(choices).flatMap(([role, ids]) => [
      [role, { input: ids.filter((id) => !id.startsWith('S')) }],
      [`${role}-groups`, { input: ids.filter((id) => id.startsWith('S')) }],
    ]),
  );
}

/** Requests a change of roles; resolves to the request as the approver sees it. */
export async function requestRoles(
  admin: Actor,
  approver: Actor,
  choices: RoleChoices,
): Promise<Message> {
  const known = new Set(messagesOf(approver).map(({ messageTs }) => messageTs));
  const form = await openRoles(admin);
  await admin.submit(form, roleValues(choices));
  const review = await admin.seeDialog('A second person must approve');
  await admin.submit(review, { reason: { input: 'New team' } });
  return approver.see(
    () =>
      messagesOf(approver).find(
        ({ messageTs, text }) => !known.has(messageTs) && text.includes('Waiting for approval.'),
      ),
    'the request to change roles',
  );
}

/** The answer that only this person sees. A slow command first says that it is working. */
export async function typeAndRead(person: Actor, command: string): Promise<string> {
  const known = new Set(messagesOf(person).map(({ messageTs }) => messageTs));
  await person.send('ops', command);
  const answer = await person.see(
    () =>
      messagesOf(person).find(
        ({ messageTs, isEphemeral, text }) =>
          isEphemeral && !known.has(messageTs) && !text.startsWith('Working on it.'),
      ),
    `an answer to ${command}`,
  );
  return answer.text;
}
