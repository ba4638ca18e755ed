import type { NamedPeople } from '../../workspaces/index.ts';
import {
  type MemberChecks,
  memberBlock,
  problemWithMembers,
  tooManyGroups,
} from './check-members.ts';
import { type NamedByRole, roleNames } from './roles-form.ts';

/**
 * Errors by block id: people who could never have a role, and roles that nobody would have. `after`:
 * the settings with these roles.
 */
export async function checkRoles(
  { named, before, after }: { named: NamedByRole; before: NamedByRole; after: NamedPeople },
  checks: MemberChecks,
): Promise<Record<string, string>> {
  const tooMany = tooManyGroups(after);
  if (tooMany) return { viewers: tooMany };
  const errors: Record<string, string> = {};
  for (const role of roleNames) {
    const hasChanged = named[role].join() !== before[role].join();
    const problem = hasChanged ? await problemWithMembers(named[role], checks) : undefined;
    if (problem) errors[memberBlock(role, named[role])] = problem;
  }
  return errors;
}
