import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { SignedRow } from './hash-chain.ts';

/** A row with its personal text, both as the exact stored text. */
export type ChainRow = SignedRow & { personal: { salt: string; text: string } | undefined };

export type ChainHead = { chain_id: string; seq: number; hash: string; announced_seq: number };

/** One team's log as the database has it. */
export type TeamChain = {
  teamId: string;
  head: ChainHead | undefined;
  /** By `seq`, ascending. */
  rows: AsyncIterable<ChainRow> | Iterable<ChainRow>;
  /** Numbers of personal texts without an entry. */
  orphanTexts: number[];
};

const pageSize = 1000;

/** Every team with at least one row in any of the log's tables. */
export async function listLoggedTeams(db: Kysely<Tables>): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_log_head')
    .select('team_id')
    .union(db.selectFrom('audit_log').select('team_id'))
    .union(db.selectFrom('audit_log_personal').select('team_id'))
    .orderBy('team_id')
    .execute();
  return rows.map(({ team_id }) => team_id);
}

export async function readTeamChain(db: Kysely<Tables>, teamId: string): Promise<TeamChain> {
  return {
    teamId,
    head: await readHead(db, teamId),
    rows: readRows(db, teamId),
    orphanTexts: await findOrphanTexts(db, teamId),
  };
}

/** The entries with their personal text, oldest first, read page by page. */
export async function* readRows(db: Kysely<Tables>, teamId: string): AsyncGenerator<ChainRow> {
  let first = await findNext(db, teamId, undefined);
  while (first !== undefined) {
    const last = first + pageSize - 1;
    const page = await readPage(db, teamId, { first, last });
    yield* page;
    first = page.length > 0 ? last + 1 : await findNext(db, teamId, last);
  }
}

/** The changes of the key in a team's log, by `seq`. */
export function readKeyChanges(db: Kysely<Tables>, teamId: string): Promise<SignedRow[]> {
  return selectEntries(db, teamId).where('event', '=', 'key_changed').orderBy('seq').execute();
}

/** The number of the first entry after `after`: numbers start at 1 and have no gaps if all is well. */
async function findNext(
  db: Kysely<Tables>,
  teamId: string,
  after: number | undefined,
): Promise<number | undefined> {
  const { next } = await db
    .selectFrom('audit_log')
    .select((eb) => eb.fn.min('seq').as('next'))
    .where('team_id', '=', teamId)
    .$if(after !== undefined, (query) => query.where('seq', '>', after ?? 0))
    .executeTakeFirstOrThrow();
  return next ?? undefined;
}

/**
 * Both ends of the range are given, and there is no join: otherwise the planner, without statistics of
 * a new or restored database, reads the rest of the tables for each page.
 */
async function readPage(
  db: Kysely<Tables>,
  teamId: string,
  { first, last }: { first: number; last: number },
): Promise<ChainRow[]> {
  const rows = await selectEntries(db, teamId)
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .orderBy('seq')
    .execute();
  const texts = await db
    .selectFrom('audit_log_personal')
    .select(['seq', 'salt', sql<string>`text::text`.as('text')])
    .where('team_id', '=', teamId)
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .execute();
  const bySeq = new Map(texts.map(({ seq, salt, text }) => [seq, { salt, text }]));
  return rows.map((row) => ({ ...row, personal: bySeq.get(row.seq) }));
}

function selectEntries(db: Kysely<Tables>, teamId: string) {
  return (
    db
      .selectFrom('audit_log')
      .select(['team_id', 'seq', 'at', 'event', 'actor', 'approval_id', 'action', 'subject_id'])
      .select(['personal_digest', 'key_id', 'previous_hash', 'hash'])
      // As text: parsed, two different spellings would be equal.
      .select(sql<string>`facts::text`.as('facts'))
      .where('team_id', '=', teamId)
  );
}

export async function readHead(db: Kysely<Tables>, teamId: string): Promise<ChainHead | undefined> {
  return db
    .selectFrom('audit_log_head')
    .select(['chain_id', 'seq', 'hash', 'announced_seq'])
    .where('team_id', '=', teamId)
    .executeTakeFirst();
}

async function findOrphanTexts(db: Kysely<Tables>, teamId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('audit_log_personal as personal')
    .leftJoin('audit_log as entry', (join) =>
      join.onRef('entry.team_id', '=', 'personal.team_id').onRef('entry.seq', '=', 'personal.seq'),
    )
    .select('personal.seq')
    .where('personal.team_id', '=', teamId)
    .where('entry.seq', 'is', null)
    .orderBy('personal.seq')
    .limit(1)
    .execute();
  return rows.map(({ seq }) => seq);
}

/** The entries of all teams. Entries are numbered without gaps, so nothing is counted one by one. */
export async function countEntries(db: Kysely<Tables>): Promise<number> {
  const { entries } = await db
    .selectFrom('audit_log_head')
    .select(sql<number>`coalesce(sum(seq), 0)::float8`.as('entries'))
    .executeTakeFirstOrThrow();
  return entries;
}
