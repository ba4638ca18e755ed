import type { Actor } from '../../playground/act-as.ts';
import type { FormValues, Message, OpenView } from '../../playground/slack/protocol.ts';
import { newMessages } from './ask.ts';
import { members, requestReviewed, showAccess } from './rules.ts';

type Role = 'viewers' | 'operators' | 'approvers' | 'auditors' | 'admins';
/** Ids of people and user groups; what is not given stays as the form has it. */
export type RoleChoices = Partial<Record<Role, string[]>>;

export async function openRoles(admin: Actor): Promise<OpenView> {
  await admin.press(await showAccess(admin), 'Change roles…');
  return admin.seeDialog('People who can request changes');
}

export function roleValues(choices: RoleChoices): FormValues {
  return Object.fromEntries(
    Object.entries(choices).flatMap(([role, ids]) => Object.entries(members(role, ids))),
  );
}

/** Requests a change of roles; resolves to the request as the approver sees it. */
export async function requestRoles(
  admin: Actor,
  approver: Actor,
  choices: RoleChoices,
): Promise<Message> {
  await admin.submit(await openRoles(admin), roleValues(choices));
  return requestReviewed(admin, approver);
}

/** The answer that only this person sees. A slow command first says that it is working. */
export async function typeAndRead(person: Actor, command: string): Promise<string> {
  const seeNew = newMessages(person);
  await person.send('ops', command);
  const answer = await seeNew(
    ({ isEphemeral, text }) => isEphemeral && !text.startsWith('Working on it.'),
  );
  return answer.text;
}
