import type { Selectable, Transaction } from 'kysely';
import { z } from 'zod';
import { storable } from '../../../database/canonical-text.ts';
import type { Tables } from '../../../database/tables.ts';
import type { Destination, Outgoing } from '../message.ts';
import {
  addCounts,
  joinSpans,
  type Span,
  type SummaryContent,
  tallyByGroup,
} from '../summarize.ts';
import type { DeliverySummaryTable } from './tables.ts';

type SummaryRow = Selectable<DeliverySummaryTable>;

/** Not `z.record`, which drops a facet called `__proto__`. */
const storedCounts = z.custom<Record<string, number>>(
  (value) => countList.safeParse(Object.values(Object(value))).success,
  'not stored counts',
);
const countList = z.array(z.number());

/** The content of a stored summary. */
export function toContent(
  row: Pick<SummaryRow, 'title' | 'counts' | 'since' | 'last_at' | 'raised_from' | 'raised_to'>,
): SummaryContent {
  return {
    title: row.title,
    counts: storedCounts.parse(row.counts),
    since: row.since,
    lastAt: row.last_at,
    raised: toSpan(row),
  };
}

function toSpan({
  raised_from: from,
  raised_to: to,
}: Pick<SummaryRow, 'raised_from' | 'raised_to'>): Span | undefined {
  return from && to ? { from, to } : undefined;
}

/** The groups that have a live summary, and when each last overflowed. */
export async function findOverflows(
  trx: Transaction<Tables>,
  to: Destination,
  groups: string[],
): Promise<Map<string, Date>> {
  const rows = await selectLive(trx, to, groups).select(['group_key', 'overflowed_at']).execute();
  return new Map(rows.map(({ group_key, overflowed_at }) => [group_key, overflowed_at]));
}

/** Adds messages to the live summaries of their groups, and starts those that do not exist yet. */
export async function countInSummaries(
  trx: Transaction<Tables>,
  to: Destination,
  {
    counted,
    overflowed,
    position,
    at,
  }: { counted: Outgoing[]; overflowed: Set<string>; position: number; at: Date },
): Promise<void> {
  const keys = new Set(counted.flatMap(({ group }) => group?.key ?? []));
  if (keys.size === 0) return;
  const live = await selectLive(trx, to, [...keys])
    .select(['id', 'group_key', 'counts', 'since', 'raised_from', 'raised_to'])
    .execute();
  const wasCounted = ({ group }: Outgoing) =>
    live.some(({ group_key, since }) => group_key === group?.key && isSince(group, since));
  const tallies = tallyByGroup(
    counted.filter((message) => !wasCounted(message)),
    at,
  );
  for (const [key, { title, counts, raised }] of tallies) {
    const summary = live.find(({ group_key }) => group_key === key);
    if (!summary) {
      await trx
        .insertInto('delivery_summary')
        .values({
          team_id: to.teamId,
          channel_id: to.channelId,
          owner_slack_user_id: to.ownerSlackUserId,
          group_key: key,
          title: storable(title),
          counts: JSON.stringify(Object.fromEntries(counts)),
          since: at,
          last_at: at,
          overflowed_at: at,
          unshown_since: at,
          raised_from: raised?.from,
          raised_to: raised?.to,
          position,
        })
        .execute();
      continue;
    }
    const allRaised = joinSpans(toSpan(summary), raised);
    await trx
      .updateTable('delivery_summary')
      .set((eb) => ({
        title: storable(title),
        counts: JSON.stringify(
          Object.fromEntries(addCounts(storedCounts.parse(summary.counts), counts)),
        ),
        last_at: at,
        ...(overflowed.has(key) && { overflowed_at: at }),
        unshown_since: eb.fn.coalesce('unshown_since', eb.val(at)),
        raised_from: allRaised?.from ?? null,
        raised_to: allRaised?.to ?? null,
        version: eb('version', '+', 1),
      }))
      .where('team_id', '=', to.teamId)
      .where('id', '=', summary.id)
      .execute();
  }
}

/**
 * Closes a summary with the counts that were sent, and starts the next one at the same position with
 * what was counted while that message was being sent.
 */
export async function closeSummary(
  trx: Transaction<Tables>,
  teamId: string,
  { id, counts, lastAt, raised }: SummaryContent & { id: number },
): Promise<void> {
  const row = await trx
    .selectFrom('delivery_summary')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .forUpdate()
    .executeTakeFirst();
  if (!row) return;
  await trx
    .updateTable('delivery_summary')
    .set({
      state: 'closed',
      counts: JSON.stringify(counts),
      last_at: lastAt,
      raised_from: raised?.from ?? null,
      raised_to: raised?.to ?? null,
      unshown_since: null,
    })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
  const sent = new Map(Object.entries(counts));
  const rest = Object.entries(storedCounts.parse(row.counts))
    .map(([facet, count]) => [facet, count - (sent.get(facet) ?? 0)] as const)
    .filter(([, count]) => count > 0);
  if (rest.length === 0) return;
  const { team_id, channel_id, owner_slack_user_id, group_key, title, position } = row;
  await trx
    .insertInto('delivery_summary')
    .values({
      team_id,
      channel_id,
      owner_slack_user_id,
      group_key,
      title,
      position,
      counts: JSON.stringify(Object.fromEntries(rest)),
      since: row.last_at,
      last_at: row.last_at,
      overflowed_at: row.overflowed_at,
      unshown_since: row.last_at,
      ...raisedSince(raised, row),
    })
    .execute();
}

/**
 * The raised times of what the sent part does not contain. Only the span of everything is known: it
 * starts where the sent part ends, or, if older alerts came in, where the whole starts.
 */
function raisedSince(
  sent: Span | undefined,
  { raised_from, raised_to }: Pick<SummaryRow, 'raised_from' | 'raised_to'>,
) {
  const isLater = sent && raised_from && sent.from <= raised_from;
  return { raised_from: isLater ? sent.to : raised_from, raised_to };
}

function selectLive(
  trx: Transaction<Tables>,
  { teamId, channelId }: Destination,
  groups: string[],
) {
  return trx
    .selectFrom('delivery_summary')
    .where('team_id', '=', teamId)
    .where('channel_id', '=', channelId)
    .where('state', '=', 'open')
    .where('group_key', 'in', groups);
}

function isSince({ countedAt }: { countedAt?: Date | undefined }, since: Date): boolean {
  return countedAt !== undefined && countedAt >= since;
}
