import { type MonotonicClock, monotonicClock } from '../../clock.ts';
import type { Person } from '../api/person.ts';

type CallerId = { teamId: string; slackUserId: string };
export type OutsiderMembership = Exclude<Person['membership'], 'member'>;

/** What a person does: type a command, or click a button or submit a form. */
export type CallKind = 'command' | 'click';

/** How many calls of one person a process answers within a minute. */
export type CallLimits = Record<CallKind, number>;
const defaultLimits: CallLimits = { command: 60, click: 120 };
const minuteMs = 60_000;

export type RecentCallers = ReturnType<typeof createRecentCallers>;

/** What this process remembers about callers, forgotten all at once when a minute is over. */
export function createRecentCallers(
  limits: CallLimits = defaultLimits,
  now: MonotonicClock = monotonicClock,
) {
  let endsAt = 0;
  const calls = new Map<string, number>();
  const outsiders = new Map<string, OutsiderMembership>();

  function keyOf({ teamId, slackUserId }: CallerId): string {
    if (now() >= endsAt) {
      endsAt = now() + minuteMs;
      calls.clear();
      outsiders.clear();
    }
    return `${teamId} ${slackUserId}`;
  }

  return {
    /** Counts a call. Resolves to the limit and the time until the next call, in ms, beyond it. */
    countCall(caller: CallerId, kind: CallKind): { max: number; waitMs: number } | undefined {
      const key = `${keyOf(caller)} ${kind}`;
      const count = (calls.get(key) ?? 0) + 1;
      calls.set(key, count);
      const max = limits[kind];
      return count > max ? { max, waitMs: endsAt - now() } : undefined;
    },

    /** A person who was refused within the minute, so that their clicks cost Slack no more calls. */
    outsider: (caller: CallerId): OutsiderMembership | undefined => outsiders.get(keyOf(caller)),

    rememberOutsider(caller: CallerId, membership: OutsiderMembership): void {
      outsiders.set(keyOf(caller), membership);
    },
  };
}
