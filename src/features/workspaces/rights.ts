import type { Person } from '../../slack/api/person.ts';
import { mayDecide } from './approver.ts';

/** What the rights are looked up with. */
export type ChangeRights = {
  readSettings: (teamId: string) => Promise<{ approvers: string[] }>;
};

/** Whether the person may do what is for approvers and, whoever these are, for admins. */
export async function isApproverOrAdmin(
  teamId: string,
  person: Person,
  { readSettings }: ChangeRights,
): Promise<boolean> {
  if (person.standing === 'member' && person.isAdmin) return true;
  const { approvers } = await readSettings(teamId);
  return mayDecide(person, approvers);
}

/** Tells for each watch or digest whether the person may change and end it: their own, admins and approvers all. */
export async function readMayChange(
  teamId: string,
  person: Person,
  rights: ChangeRights,
): Promise<(setUp: { createdBy: string }) => boolean> {
  const mayChangeAll = await isApproverOrAdmin(teamId, person, rights);
  return ({ createdBy }) => mayChangeAll || createdBy === person.slackUserId;
}

/** The same in words. */
export function whoMayChange(setUp: 'watch' | 'digest'): string {
  return `A ${setUp} is changed and ended by whoever set it up, by approvers and by admins.`;
}
