import type { Transaction } from 'kysely';
import type { Database, Tables } from '../../../database/tables.ts';
import type { Message } from '../../../slack/ui/blocks.ts';
import type { EnqueueNamed } from '../../../workspace/enqueue-named.ts';
import type { Clearing, ClearingProgress, ClearingResult } from '../clearing/clearing.ts';

export type Render = (clearing: Clearing, progress: ClearingProgress) => Message;

/** Queues the message about the progress, which edits the one before. */
export async function enqueueProgress(
  trx: Transaction<Tables>,
  clearing: Clearing,
  { render, at, enqueueMessages }: { render: Render; at: Date; enqueueMessages: EnqueueNamed },
): Promise<ClearingProgress> {
  const { id, teamId, originId, channelId, createdBy } = clearing;
  const progress = await readProgress(trx, clearing);
  const to = { teamId, originId, channelId, ownerSlackUserId: createdBy };
  const outgoing = { subject: `clearing:${id}`, message: render(clearing, progress) };
  await enqueueMessages(trx, to, [outgoing], at);
  return progress;
}

/** Counted from the alerts, so that the numbers always add up. */
async function readProgress(
  db: Pick<Database, 'selectFrom'>,
  { id, teamId }: Pick<Clearing, 'id' | 'teamId'>,
): Promise<ClearingProgress> {
  const rows = await db
    .selectFrom('alert_clearing_item')
    .select(['result', 'detail', 'is_note_missing'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .where('clearing_id', '=', id)
    .groupBy(['result', 'detail', 'is_note_missing'])
    .execute();
  const sum = (counted: typeof rows) => counted.reduce((total, { count }) => total + count, 0);
  const countOf = (result: ClearingResult | null) =>
    sum(rows.filter((row) => row.result === result));
  const byCause = Map.groupBy(rows, ({ detail }) => detail ?? '');
  byCause.delete('');
  return {
    total: sum(rows),
    results: {
      cleared: countOf('cleared'),
      already_cleared: countOf('already_cleared'),
      not_found: countOf('not_found'),
      not_cleared: countOf('not_cleared'),
      unknown_outcome: countOf('unknown_outcome'),
    },
    left: countOf(null),
    notesMissing: sum(rows.filter(({ is_note_missing }) => is_note_missing)),
    causes: [...byCause]
      .map(([detail, counted]) => ({ detail, count: sum(counted) }))
      .toSorted((one, other) => other.count - one.count),
  };
}
