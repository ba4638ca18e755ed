import { type MonotonicClock, monotonicClock } from '../../clock.ts';
import { listPeople } from './list-people.ts';
import { type Person, toPerson } from './person.ts';
import type { SlackClient } from './slack-client.ts';

/**
 * The active admins of a workspace; not complete if it has more people than are looked through, or if
 * Slack leaves people out of an answer.
 */
export type Admins = { people: Person[]; isComplete: boolean };

export type AdminDirectory = ReturnType<typeof createAdminDirectory>;

const cachedMs = 60_000;

/** The people who are admins by a role, whatever they are in Slack. */
type ListNamed = (slack: SlackClient) => Promise<{ people: string[]; isComplete: boolean }>;

/**
 * Finds admins by looking through the people of a workspace, 3,000 at most, because Slack has no
 * list of admins. Those who are admins by a role count as well.
 */
export function createAdminDirectory({
  listNamed,
  now = monotonicClock,
}: {
  listNamed: ListNamed;
  now?: MonotonicClock;
}) {
  const known = new Map<string, { admins: Admins; readAt: number }>();
  return {
    /** @throws when Slack can't be asked. `isFresh`: not from the cache. */
    async read(
      slack: SlackClient,
      { isFresh = false }: { isFresh?: boolean } = {},
    ): Promise<Admins> {
      const { teamId } = slack;
      const readAt = now();
      const cached = known.get(teamId);
      if (cached && !isFresh && readAt - cached.readAt < cachedMs) return cached.admins;
      const admins = await listAdmins(slack, listNamed);
      known.set(teamId, { admins, readAt });
      return admins;
    },
  };
}

async function listAdmins(slack: SlackClient, listNamed: ListNamed): Promise<Admins> {
  const [{ members, isComplete }, named] = await Promise.all([listPeople(slack), listNamed(slack)]);
  const people = members.flatMap((member) => {
    if (!member.id) return [];
    const person = toPerson(member, slack, member.id);
    return [{ ...person, isAdmin: person.isAdmin || named.people.includes(member.id) }];
  });
  const admins = people.filter(({ isAdmin, membership }) => isAdmin && membership === 'member');
  return { people: admins, isComplete: isComplete && named.isComplete };
}
