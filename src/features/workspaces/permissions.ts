import type { Person } from '../../slack/api/person.ts';

/** How the approvers are looked up. */
export type ChangeRights = {
  readSettings: (teamId: string) => Promise<{ approvers: string[] }>;
};

/** Whether the person is an approver: one that setup names or, if it names none, a workspace admin. */
export function mayDecide(person: Person, approvers: string[]): boolean {
  if (person.membership !== 'member') return false;
  return approvers.length > 0 ? approvers.includes(person.slackUserId) : person.isAdmin;
}

/** Admins count even if setup names approvers. */
export async function isApproverOrAdmin(
  teamId: string,
  person: Person,
  { readSettings }: ChangeRights,
): Promise<boolean> {
  if (person.membership === 'member' && person.isAdmin) return true;
  const { approvers } = await readSettings(teamId);
  return mayDecide(person, approvers);
}

/** Returns whether the person may change and end a watch or a digest. `whoMayChange` says the same. */
export async function readMayChange(
  teamId: string,
  person: Person,
  rights: ChangeRights,
): Promise<(created: { createdBy: string }) => boolean> {
  const mayChangeAll = await isApproverOrAdmin(teamId, person, rights);
  return ({ createdBy }) => mayChangeAll || createdBy === person.slackUserId;
}

export function whoMayChange(kind: 'watch' | 'digest'): string {
  return `Only the creator of a ${kind}, approvers and admins can change or end it.`;
}
