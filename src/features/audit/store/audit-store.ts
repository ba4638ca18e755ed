import { type ExpressionBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { AuditEvent, AuditFacts } from '../../../audit-log/entry.ts';
import { connectionIdsOf, type OriginRef } from '../../../database/connection-origin.ts';
import type { ServedTeams } from '../../../database/served-teams.ts';
import type { Database, Tables } from '../../../database/tables.ts';
import { subDays } from '../../../dates.ts';

/** One entry as it is shown. */
export type AuditRecord = {
  seq: number;
  at: Date;
  event: AuditEvent;
  /** Slack user id; undefined when Belay itself acted. */
  actor: string | undefined;
  action: string | undefined;
  subjectId: string | undefined;
  facts: AuditFacts;
  personal: Record<string, string>;
  /** The entry had personal text, which was erased. */
  isErased: boolean;
  /** The personal text of the entry of its request; undefined when erased. */
  requestPersonal: Record<string, string> | undefined;
};

type AuditFilter = {
  teamId: string;
  /** Slack user id. */
  by?: string | undefined;
  /** The service's id of a user, or any part of a name or an address. */
  user?: string | undefined;
  /** The service's id of the subject, such as a policy. Indexed, so this is fast in a long log. */
  subjectId?: string | undefined;
  /** Leaves out what was requested on other connections; entries of early versions name none. */
  connection?: OriginRef | undefined;
  event?: AuditEvent | undefined;
  since?: Date | undefined;
};

export type AuditQuery = AuditFilter & {
  /** Only entries older than this one. */
  before?: number | undefined;
  /** Only entries newer than this one, of which the oldest `limit` are listed. */
  after?: number | undefined;
  limit: number;
};

/** The end of a team's log, as it is announced in a checkpoint message. */
export type LogEnd = { teamId: string; seq: number; hash: string };

/** Where the end of a team's log is announced. */
type AnnouncedIn = { teamId: string; channelId: string };

/** In one call: the rest follow in the next one. */
const maxAnnounced = 1000;

const approvalsChannel = sql<string | null>`settings.settings ->> 'approvalsChannel'`;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The audit log as it is shown and announced. */
export function createAuditStore(db: Database, isServed: ServedTeams) {
  return {
    /** Newest first. */
    async list({ before, after, limit, ...filter }: AuditQuery): Promise<AuditRecord[]> {
      const found = await matching(db, filter)
        .select(['entry.seq', 'entry.at', 'entry.event', 'entry.actor', 'entry.action'])
        .select(['entry.subject_id', 'entry.facts', 'entry.personal_digest', 'personal.text'])
        .select(personalOfRequest.as('request_text'))
        .$if(before !== undefined, (rest) => rest.where('entry.seq', '<', before ?? 0))
        .$if(after !== undefined, (rest) => rest.where('entry.seq', '>', after ?? 0))
        .orderBy('entry.seq', after === undefined ? 'desc' : 'asc')
        .limit(limit)
        .execute();
      const rows = after === undefined ? found : found.toReversed();
      return rows.map((row) => ({
        seq: row.seq,
        at: row.at,
        event: row.event,
        actor: row.actor ?? undefined,
        action: row.action ?? undefined,
        subjectId: row.subject_id ?? undefined,
        facts: parseFacts(row.facts),
        personal: personalSchema.parse(row.text ?? {}),
        isErased: row.personal_digest !== null && row.text === null,
        requestPersonal: personalSchema.optional().parse(row.request_text ?? undefined),
      }));
    },

    /** The numbers of the newest `limit` entries that match, newest first. */
    async listNumbers(filter: AuditFilter, limit: number): Promise<number[]> {
      const query = matching(db, filter).select('entry.seq').orderBy('entry.seq', 'desc');
      return (await query.limit(limit).execute()).map(({ seq }) => seq);
    },

    /**
     * Teams with an approvals channel whose log has grown since its last announcement, more than a day ago:
     * those first that have waited longest.
     */
    async findUnannounced(now: Date): Promise<AnnouncedIn[]> {
      const rows = await db
        .selectFrom('audit_log_head')
        .innerJoin('workspace_settings as settings', 'settings.team_id', 'audit_log_head.team_id')
        .select(['audit_log_head.team_id as teamId', approvalsChannel.as('channelId')])
        .where(isDue(now))
        .where(approvalsChannel, 'is not', null)
        .where(isServed('audit_log_head.team_id'))
        .orderBy('announced_at', (order) => order.asc().nullsFirst())
        .limit(maxAnnounced)
        .execute();
      return rows.flatMap(({ teamId, channelId }) => (channelId ? [{ teamId, channelId }] : []));
    },

    /** Takes over the announcement; undefined when another process has. */
    claimAnnouncement: (teamId: string, now: Date): Promise<LogEnd | undefined> =>
      db
        .updateTable('audit_log_head')
        .set((eb) => ({ announced_seq: eb.ref('seq'), announced_at: now }))
        .where('team_id', '=', teamId)
        .where(isDue(now))
        .returning(['team_id as teamId', 'seq', 'hash'])
        .executeTakeFirst(),
  };
}

/** An announcement from the future, by a wrong clock, does not count: it would block all others. */
function isDue(now: Date) {
  return (eb: ExpressionBuilder<Tables, 'audit_log_head'>) =>
    eb.and([
      eb('announced_seq', '<>', eb.ref('seq')),
      eb.or([
        eb('announced_at', 'is', null),
        eb('announced_at', '<=', subDays(now, 1)),
        eb('announced_at', '>', now),
      ]),
    ]);
}

/** The entries that match, with their personal text if it was not erased. */
function matching(
  db: Database,
  { teamId, by, user, subjectId, connection, event, since }: AuditFilter,
) {
  return db
    .selectFrom('audit_log as entry')
    .leftJoin('audit_log_personal as personal', (join) =>
      join.onRef('personal.team_id', '=', 'entry.team_id').onRef('personal.seq', '=', 'entry.seq'),
    )
    .where('entry.team_id', '=', teamId)
    .$if(by !== undefined, (rest) => rest.where('entry.actor', '=', by ?? ''))
    .$if(subjectId !== undefined, (rest) => rest.where(isOfSubject(teamId, subjectId ?? '')))
    .$if(connection !== undefined, (rest) =>
      rest.where(isOn(connection ?? { teamId, originId: undefined })),
    )
    .$if(event !== undefined, (rest) => rest.where('entry.event', '=', event ?? 'erased'))
    .$if(since !== undefined, (rest) => rest.where('entry.at', '>=', since ?? new Date(0)))
    .$if(user !== undefined, (rest) => rest.where(isAbout(user ?? '')));
}

const personalSchema = z.record(z.string(), z.string());
const factSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** Leaves out facts in a shape that this version does not know, rather than the whole page. */
function parseFacts(stored: unknown): AuditFacts {
  const facts = z.record(z.string(), factSchema.or(z.unknown().transform(() => undefined)));
  const known = Object.entries(facts.parse(stored)).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(known);
}

/** Only the entry of the request names its subject; later entries about it use that text. */
const personalOfRequest = sql<unknown>`(
  select words.text
  from audit_log as request
  join audit_log_personal as words
    on words.team_id = request.team_id and words.seq = request.seq
  where request.team_id = entry.team_id and request.approval_id = entry.approval_id
    and request.event = 'requested'
  order by request.seq limit 1)`;

/** Entries with this subject, and all others of their requests: what is created has no id at first. */
function isOfSubject(teamId: string, subjectId: string) {
  return sql<boolean>`(entry.subject_id = ${subjectId} or entry.approval_id in (
    select of_subject.approval_id from audit_log as of_subject
    where of_subject.team_id = ${teamId} and of_subject.subject_id = ${subjectId}))`;
}

/** Subjects of two connections can have the same id. */
function isOn(connection: OriginRef) {
  return sql<boolean>`not exists (
    select 1 from audit_log as requested
    where requested.team_id = entry.team_id and requested.approval_id = entry.approval_id
      and requested.event = 'requested'
      and requested.facts ->> 'connectionId' is not null
      and requested.facts ->> 'connectionId' not in (
        select id::text from ${connectionIdsOf(connection)} as own))`;
}

/** What names the subject of an entry; people's words, such as reasons, don't. */
const subjectKeys = ['subject', 'newName', 'summary'];

/** Entries about the user with this id, or with this text in what names their subject. */
function isAbout(user: string) {
  const named = [sql<unknown>`personal.text`, personalOfRequest].map((text) => {
    const names = subjectKeys.map((key) => sql`${text} ->> ${key}`);
    return sql`strpos(lower(concat_ws(' ', ${sql.join(names)})), lower(${user})) > 0`;
  });
  return sql<boolean>`(entry.subject_id = ${user} or ${sql.join(named, sql` or `)})`;
}
