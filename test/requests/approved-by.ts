import { sampleVote } from './sample-approval.ts';

/** The columns of a request that these people have approved, for tests that skip the clicks. */
export function approvedBy(people: string[], at: Date) {
  const votes = people.map((by) => ({ ...sampleVote(by), at }));
  return {
    state: 'approved' as const,
    votes: JSON.stringify(votes),
    decided_by: people.at(-1) ?? null,
    decided_at: at,
    wake_at: at,
  };
}
