import type { Clock } from '../../clock.ts';
import { listPeople } from './list-people.ts';
import { type Person, toPerson } from './person.ts';
import type { SlackClient } from './slack-client.ts';

/**
 * The active admins of a workspace; not complete if it has more people than are looked through, or if
 * Slack leaves people out of an answer.
 */
export type Admins = { people: Person[]; isComplete: boolean };

export type AdminDirectory = {
  /** @throws when Slack can't be asked. `isFresh`: not from the cache. */
  read: (slack: SlackClient, options?: { isFresh?: boolean }) => Promise<Admins>;
};

const cachedMs = 60_000;

/**
 * Finds admins by looking through the people of a workspace, 3,000 at most, because Slack has no
 * list of admins.
 */
export function createAdminDirectory({ clock }: { clock: Clock }): AdminDirectory {
  const known = new Map<string, { admins: Admins; readAt: number }>();
  return {
    async read(slack, { isFresh = false } = {}) {
      const { teamId } = slack;
      const now = clock().getTime();
      const cached = known.get(teamId);
      if (cached && !isFresh && now - cached.readAt < cachedMs) return cached.admins;
      const admins = await listAdmins(slack);
      known.set(teamId, { admins, readAt: now });
      return admins;
    },
  };
}

async function listAdmins(slack: SlackClient): Promise<Admins> {
  const { members, isComplete } = await listPeople(slack);
  const people = members.flatMap((member) =>
    member.id ? [toPerson(member, slack, member.id)] : [],
  );
  const admins = people.filter(({ isAdmin, membership }) => isAdmin && membership === 'member');
  return { people: admins, isComplete };
}
