import type { Clock } from '../../clock.ts';
import type { Person } from '../api/person.ts';

type CallerId = { teamId: string; slackUserId: string };
export type OutsiderMembership = Exclude<Person['membership'], 'member'>;

/** Of one person in one process. */
export const maxCommandsPerMinute = 60;
const minuteMs = 60_000;

export type RecentCallers = ReturnType<typeof createRecentCallers>;

/** What this process remembers about callers, forgotten all at once when a minute is over. */
export function createRecentCallers(clock: Clock) {
  let endsAt = 0;
  const commands = new Map<string, number>();
  const outsiders = new Map<string, OutsiderMembership>();

  function keyOf({ teamId, slackUserId }: CallerId): string {
    if (clock().getTime() >= endsAt) {
      endsAt = clock().getTime() + minuteMs;
      commands.clear();
      outsiders.clear();
    }
    return `${teamId} ${slackUserId}`;
  }

  return {
    /** Counts a command. Resolves to the time until the next one, in ms, for more than a minute allows. */
    countCommand(caller: CallerId): { waitMs: number } | undefined {
      const key = keyOf(caller);
      const count = (commands.get(key) ?? 0) + 1;
      commands.set(key, count);
      return count > maxCommandsPerMinute ? { waitMs: endsAt - clock().getTime() } : undefined;
    },

    /** A person who was refused within the minute, so that their clicks cost Slack no more calls. */
    outsider: (caller: CallerId): OutsiderMembership | undefined => outsiders.get(keyOf(caller)),

    rememberOutsider(caller: CallerId, membership: OutsiderMembership): void {
      outsiders.set(keyOf(caller), membership);
    },
  };
}
