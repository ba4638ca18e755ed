import { isRecipientGone } from '../../../slack/api/error-codes.ts';
import type { Person } from '../../../slack/api/person.ts';

/** Undefined for somebody who is no full member, or no longer there. */
export async function readMember(
  slackUserId: string,
  readPerson: (slackUserId: string) => Promise<Person>,
): Promise<Person | undefined> {
  try {
    const person = await readPerson(slackUserId);
    return person.membership === 'member' ? person : undefined;
  } catch (error) {
    if (isRecipientGone(error)) return undefined;
    throw error;
  }
}
