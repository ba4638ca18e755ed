import type { Person } from '../../slack/person.ts';
import { mayDecide } from './approver.ts';

/** What the rights are looked up with. */
export type ChangeRights = {
  readSettings: (teamId: string) => Promise<{ approvers: string[] }>;
};

/** Tells for each watch or digest whether the person may change and end it: their own, admins and approvers all. */
export async function readMayChange(
  teamId: string,
  person: Person,
  { readSettings }: ChangeRights,
): Promise<(setUp: { createdBy: string }) => boolean> {
  const { approvers } = await readSettings(teamId);
  const mayChangeAll =
    person.standing === 'member' && (person.isAdmin || mayDecide(person, approvers));
  return ({ createdBy }) => mayChangeAll || createdBy === person.slackUserId;
}

/** The same in words. */
export function whoMayChange(setUp: 'watch' | 'digest'): string {
  return `A ${setUp} is changed and ended by whoever set it up, by approvers and by admins.`;
}
