import type { Person } from '../../slack/person.ts';
import type { Digest } from './digest.ts';

export type DigestRights = {
  readSettings: (teamId: string) => Promise<{ approvers: string[] }>;
  mayDecide: (person: Person, approvers: string[]) => boolean;
};

/** Tells for each digest whether the person may change and end it: their own, admins and approvers all. */
export async function readRights(
  teamId: string,
  person: Person,
  { readSettings, mayDecide }: DigestRights,
): Promise<(digest: Pick<Digest, 'createdBy'>) => boolean> {
  const { approvers } = await readSettings(teamId);
  const mayChangeAll =
    person.standing === 'member' && (person.isAdmin || mayDecide(person, approvers));
  return ({ createdBy }) => mayChangeAll || createdBy === person.slackUserId;
}

export const whoMayChange =
  'A digest is changed and ended by whoever set it up, by approvers and by admins.';
