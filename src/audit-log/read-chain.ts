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

const pageSize = 500;

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
  let after: number | undefined;
  for (;;) {
    const page = await readPage(db, teamId, after);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.seq;
  }
}

async function readPage(
  db: Kysely<Tables>,
  teamId: string,
  after: number | undefined,
): Promise<ChainRow[]> {
  const rows = await db
    .selectFrom('audit_log as entry')
    .leftJoin('audit_log_personal as personal', (join) =>
      join.onRef('personal.team_id', '=', 'entry.team_id').onRef('personal.seq', '=', 'entry.seq'),
    )
    .selectAll('entry')
    // As text: parsed, two different spellings would be equal.
    .select([sql<string>`entry.facts::text`.as('facts_text'), 'personal.salt'])
    .select(sql<string | null>`personal.text::text`.as('personal_text'))
    .where('entry.team_id', '=', teamId)
    .$if(after !== undefined, (query) => query.where('entry.seq', '>', after ?? 0))
    .orderBy('entry.seq')
    .limit(pageSize)
    .execute();
  return rows.map(({ facts_text: facts, salt, personal_text: text, ...row }) => ({
    ...row,
    facts,
    personal: salt === null || text === null ? undefined : { salt, text },
  }));
}

async function readHead(db: Kysely<Tables>, teamId: string): Promise<ChainHead | undefined> {
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

/** The id of the key that signed the team's last entry; undefined for an empty log. */
export async function readLastKeyId(
  db: Kysely<Tables>,
  teamId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('audit_log')
    .select('key_id')
    .where('team_id', '=', teamId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.key_id;
}
