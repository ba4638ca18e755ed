import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../../../database/open-database.ts';
import type { Tables } from '../../../database/tables.ts';
import type { AuditQuery, AuditRecord, AuditStore } from '../audit-store.ts';

/** The decision log as it is shown and announced; `AuditStore` has the rules. */
export function createAuditStore(db: Database): AuditStore {
  return {
    list: (query) => list(db, query),

    async findUnannounced(due) {
      const rows = await db
        .selectFrom('audit_log_head')
        .select('team_id')
        .where(isDue(due))
        .orderBy('team_id')
        .execute();
      return rows.map(({ team_id }) => team_id);
    },

    claimAnnouncement: (teamId, due) =>
      db
        .updateTable('audit_log_head')
        .set((eb) => ({ announced_seq: eb.ref('seq'), announced_at: due.now }))
        .where('team_id', '=', teamId)
        .where(isDue(due))
        .returning(['team_id as teamId', 'seq', 'hash'])
        .executeTakeFirst(),
  };
}

/** An announcement from the future is none: it would keep the log from being announced again. */
function isDue({ now, before }: { now: Date; before: Date }) {
  return (eb: ExpressionBuilder<Tables, 'audit_log_head'>) =>
    eb.and([
      eb('announced_seq', '<>', eb.ref('seq')),
      eb.or([
        eb('announced_at', 'is', null),
        eb('announced_at', '<=', before),
        eb('announced_at', '>', now),
      ]),
    ]);
}

async function list(db: Database, query: AuditQuery): Promise<AuditRecord[]> {
  const { by, user, event, since, before } = query;
  const rows = await db
    .selectFrom('audit_log as entry')
    .leftJoin('audit_log_personal as personal', (join) =>
      join.onRef('personal.team_id', '=', 'entry.team_id').onRef('personal.seq', '=', 'entry.seq'),
    )
    .select(['entry.seq', 'entry.at', 'entry.event', 'entry.actor', 'entry.action'])
    .select(['entry.subject_id', 'entry.facts', 'entry.personal_digest', 'personal.text'])
    .select(summaryOfRequest.as('summary'))
    .where('entry.team_id', '=', query.teamId)
    .$if(by !== undefined, (rest) => rest.where('entry.actor', '=', by ?? ''))
    .$if(event !== undefined, (rest) => rest.where('entry.event', '=', event ?? 'erased'))
    .$if(since !== undefined, (rest) => rest.where('entry.at', '>=', since ?? new Date(0)))
    .$if(before !== undefined, (rest) => rest.where('entry.seq', '<', before ?? 0))
    .$if(user !== undefined, (rest) => rest.where(isAbout(user ?? '')))
    .orderBy('entry.seq', 'desc')
    .limit(query.limit)
    .execute();
  return rows.map((row) => ({
    seq: row.seq,
    at: row.at,
    event: row.event,
    actor: row.actor ?? undefined,
    action: row.action ?? undefined,
    subjectId: row.subject_id ?? undefined,
    facts: row.facts,
    personal: row.text ?? {},
    isErased: row.personal_digest !== null && row.text === null,
    summary: row.summary ?? undefined,
  }));
}

/** Only the request itself has the words; a decision on it borrows them. */
const summaryOfRequest = sql<string | null>`(
  select words.text ->> 'summary'
  from audit_log as request
  join audit_log_personal as words
    on words.team_id = request.team_id and words.seq = request.seq
  where request.team_id = entry.team_id and request.approval_id = entry.approval_id
    and request.event = 'requested'
  order by request.seq limit 1)`;

/** Of a user by id, or with the text anywhere in what was written. */
function isAbout(user: string) {
  return sql<boolean>`(entry.subject_id = ${user} or exists (
    select 1 from json_each_text(personal.text) as written
    where strpos(lower(written.value), lower(${user})) > 0)
    or strpos(lower(coalesce(${summaryOfRequest}, '')), lower(${user})) > 0)`;
}
