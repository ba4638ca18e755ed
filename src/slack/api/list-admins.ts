import type { Clock } from '../../clock.ts';
import { type Person, toPerson } from './person.ts';
import type { SlackClient } from './slack-client.ts';

/**
 * The active admins of a workspace; not complete if it has more people than are looked through, or if
 * Slack leaves people out of an answer.
 */
export type Admins = { people: Person[]; isComplete: boolean };

export type AdminDirectory = {
  /** @throws when Slack can't be asked. `isFresh`: not from the cache. */
  read: (slack: SlackClient, teamId: string, options?: { isFresh?: boolean }) => Promise<Admins>;
};

/** Slack recommends at most 200 for a page, and allows 20 calls a minute. */
const pageSize = 200;
const maxPages = 15;
const cachedMs = 60_000;

/**
 * Finds admins by looking through the people of a workspace, 3,000 at most, because Slack has no
 * list of admins. https://docs.slack.dev/reference/methods/users.list
 */
export function createAdminDirectory({ clock }: { clock: Clock }): AdminDirectory {
  const known = new Map<string, { admins: Admins; readAt: number }>();
  return {
    async read(slack, teamId, { isFresh = false } = {}) {
      const now = clock().getTime();
      const cached = known.get(teamId);
      if (cached && !isFresh && now - cached.readAt < cachedMs) return cached.admins;
      const admins = await listAdmins(slack, teamId);
      known.set(teamId, { admins, readAt: now });
      return admins;
    },
  };
}

async function listAdmins(slack: SlackClient, teamId: string): Promise<Admins> {
  const people: Person[] = [];
  let cursor: string | undefined;
  let hasGap = false;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await slack.users.list({
      ...{ limit: pageSize, team_id: teamId },
      ...(cursor ? { cursor } : {}),
    });
    hasGap ||= answer.members === undefined;
    for (const member of answer.members ?? []) {
      if (member.id) people.push(toPerson(member, teamId, member.id));
    }
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  const admins = people.filter(({ isAdmin, membership }) => isAdmin && membership === 'member');
  return { people: admins, isComplete: !cursor && !hasGap };
}
