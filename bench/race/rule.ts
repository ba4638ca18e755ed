import { setTimeout as wait } from 'node:timers/promises';
import type { Approval } from '../../src/requests/approval.ts';
import { storeSettings } from '../../test/support/store-settings.ts';
import { approvers } from '../replicas/people.ts';
import type { RaceSetup } from './open-race.ts';

/** Two groups without a common member, and how many people of each must approve. */
const parts = [
  { group: 'S0SECURITY', members: approvers.slice(0, 2), count: 1 },
  { group: 'S0STORAGE1', members: approvers.slice(2), count: 2 },
];

/** Longer than a replica takes to notice that groups are named. */
const noticedMs = 11_000;

/** From now on, three people of two groups must approve every request to disable a user. */
export async function requireRule({ testBed, db }: RaceSetup): Promise<void> {
  for (const { group, members } of parts) testBed.slack.setGroup(group, { members });
  const approvals = parts.map(({ group, count }) => ({ from: [group], count }));
  await storeSettings(db, { access: { rules: { 'users.disable': { approvals } } } });
  await wait(noticedMs);
}

/** Whether as many different people of each group as the rule needs have approved. */
export function meetsRule({ votes }: Approval): boolean {
  const voters = new Set(votes.map(({ by }) => by));
  return parts.every(({ members, count }) => {
    return members.filter((member) => voters.has(member)).length >= count;
  });
}
