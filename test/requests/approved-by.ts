import type { Database } from '../../src/database/tables.ts';
import type { MessageRef } from '../../src/slack/api/post.ts';
import { sampleVote } from './sample-approval.ts';

/** Approves a posted request in the database, for tests that skip the clicks. */
export async function approveStored(
  db: Database,
  { messageTs }: Pick<MessageRef, 'messageTs'>,
  people: string[],
  at: Date,
): Promise<void> {
  const votes = people.map((by) => ({ ...sampleVote(by), at }));
  const { id } = await db
    .updateTable('approval')
    .set({
      state: 'approved',
      votes: JSON.stringify(votes),
      decided_by: people.at(-1) ?? null,
      decided_at: at,
      wake_at: null,
    })
    .where('message_ts', '=', messageTs)
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('run')
    .set({ state: 'approved', wake_at: at })
    .where('approval_id', '=', id)
    .execute();
}
