import type { Person } from '../../slack/api/person.ts';

/** The people setup named; without any, the admins of the workspace. */
export function mayDecide(person: Person, approvers: string[]): boolean {
  if (person.standing !== 'member') return false;
  return approvers.length > 0 ? approvers.includes(person.slackUserId) : person.isAdmin;
}
