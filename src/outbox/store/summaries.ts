import type { Transaction } from 'kysely';
import { storable } from '../../database/canonical-text.ts';
import type { Tables } from '../../database/tables.ts';
import type { Destination, Outgoing } from '../message.ts';
import type { LiveSummary, Span } from '../outbox-store.ts';
import { addUp, raisedSpan, spanOfBoth, tallyUp } from './tally.ts';

/** Those of these groups that have a live summary, with when more came at once than may wait. */
export async function findCrowds(
  trx: Transaction<Tables>,
  to: Destination,
  groups: string[],
): Promise<Map<string, Date>> {
  const rows = await selectLive(trx, to, groups).select(['group_key', 'overflowed_at']).execute();
  return new Map(rows.map(({ group_key, overflowed_at }) => [group_key, overflowed_at]));
}

/** Adds these to the live summaries of their groups, and begins those that there are not yet. */
export async function countInSummaries(
  trx: Transaction<Tables>,
  to: Destination,
  {
    counted,
    crowded,
    position,
    at,
  }: { counted: Outgoing[]; crowded: Set<string>; position: number; at: Date },
): Promise<void> {
  const keys = new Set(counted.flatMap(({ group }) => group?.key ?? []));
  if (keys.size === 0) return;
  const live = await selectLive(trx, to, [...keys])
    .select(['id', 'group_key', 'counts', 'since', 'raised_from', 'raised_to'])
    .execute();
  const isInIt = ({ group }: Outgoing) =>
    live.some(({ group_key, since }) => group_key === group?.key && isSince(group, since));
  const tallies = tallyUp(
    counted.filter((one) => !isInIt(one)),
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
    const raisedInAll = spanOfBoth(raisedSpan(summary), raised);
    await trx
      .updateTable('delivery_summary')
      .set((eb) => ({
        title: storable(title),
        counts: JSON.stringify(Object.fromEntries(addUp(summary.counts, counts))),
        last_at: at,
        ...(crowded.has(key) && { overflowed_at: at }),
        unshown_since: eb.fn.coalesce('unshown_since', eb.val(at)),
        raised_from: raisedInAll?.from ?? null,
        raised_to: raisedInAll?.to ?? null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', summary.id)
      .execute();
  }
}

/**
 * Ends a summary with what was told of it, and begins the next one, in its place, with what was
 * counted while that was being said.
 */
export async function closeSummary(
  trx: Transaction<Tables>,
  { id, counts, lastAt, raised }: Pick<LiveSummary, 'id' | 'counts' | 'lastAt' | 'raised'>,
): Promise<void> {
  const row = await trx
    .selectFrom('delivery_summary')
    .selectAll()
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
    .where('id', '=', id)
    .execute();
  const told = new Map(Object.entries(counts));
  const rest = Object.entries(row.counts)
    .map(([facet, count]) => [facet, count - (told.get(facet) ?? 0)] as const)
    .filter(([, count]) => count > 0);
  if (rest.length === 0) return;
  const { team_id, channel_id, owner_slack_user_id, group_key, title, position } = row;
  await trx
    .insertInto('delivery_summary')
    .values({
      ...{ team_id, channel_id, owner_slack_user_id, group_key, title, position },
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
 * When that was raised which came after what was told. Only all of it together is known, so it begins
 * where the told part ends, or, where older ones came, as early as all of it.
 */
function raisedSince(
  told: Span | undefined,
  { raised_from, raised_to }: { raised_from: Date | null; raised_to: Date | null },
) {
  const isLater = told && raised_from && told.from <= raised_from;
  return { raised_from: isLater ? told.to : raised_from, raised_to };
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
