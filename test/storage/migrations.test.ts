import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/storage/migrations.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/open-database.ts';
import type { Tables } from '../../src/storage/tables.ts';
import { createDatabase, databases, postgresUrl } from '../support/databases.ts';

/** Every column that the type names; the compiler refuses one that the type does not have. */
const columns = {
  connection: [
    'id',
    'team_id',
    'enterprise_id',
    'region_id',
    'organizational_unit_id',
    'token_sealed',
    'token_owner',
    'saved_by',
    'saved_at',
    'replaced_at',
  ],
  workspace_settings: [
    'team_id',
    'approvals_channel_id',
    'approvers',
    'saved_from_view_id',
    'delete_grace_minutes',
    'users_per_hour',
  ],
  approval: [
    'id',
    'team_id',
    'enterprise_id',
    'connection_id',
    'organizational_unit_id',
    'action',
    'payload',
    'reason',
    'requester',
    'state',
    'version',
    'drawn_version',
    'told_version',
    'source_view_id',
    'channel_id',
    'message_ts',
    'decided_by',
    'decision_reason',
    'decided_at',
    'begun_at',
    'outcome',
    'finished_at',
    'requested_at',
    'expires_at',
    'subject_id',
    'step',
    'preview',
    'checks',
    'basis',
    'basis_digest',
    'wake_at',
    'lease_holder',
    'attempts',
    'kept_by',
    'direct_channel_id',
    'direct_ts',
    'drawing_until',
  ],
  decision_log: [
    'team_id',
    'seq',
    'at',
    'event',
    'actor',
    'approval_id',
    'action',
    'subject_id',
    'facts',
    'personal_digest',
    'key_id',
    'previous_hash',
    'hash',
  ],
  decision_log_personal: ['team_id', 'seq', 'salt', 'text'],
  decision_log_head: ['team_id', 'chain_id', 'seq', 'hash', 'announced_seq', 'announced_at'],
  delivery_channel: [
    'team_id',
    'channel_id',
    'last_place',
    'due_at',
    'ready_at',
    'lease_holder',
    'lease_until',
    'attempts',
    'told_owners',
  ],
  delivery_message: [
    'id',
    'team_id',
    'channel_id',
    'owner_slack_user_id',
    'subject',
    'reply_to',
    'group_key',
    'message',
    'version',
    'state',
    'place',
    'queued_at',
    'posted_channel_id',
    'message_ts',
    'settled_at',
  ],
  delivery_summary: [
    'id',
    'team_id',
    'channel_id',
    'owner_slack_user_id',
    'group_key',
    'title',
    'counts',
    'since',
    'last_at',
    'version',
    'untold_since',
    'state',
    'place',
    'posted_channel_id',
    'message_ts',
    'sent_at',
  ],
} as const satisfies { [Table in keyof Tables]: readonly (keyof Tables[Table])[] };

type Listed = { [Table in keyof Tables]: (typeof columns)[Table][number] };
/** And here it refuses a column of the type that the list leaves out. */
const complete: {
  [Table in keyof Tables]: keyof Tables[Table] extends Listed[Table] ? true : never;
} = {
  connection: true,
  workspace_settings: true,
  approval: true,
  decision_log: true,
  decision_log_personal: true,
  decision_log_head: true,
  delivery_channel: true,
  delivery_message: true,
  delivery_summary: true,
};

describe.each(databases())('migrations on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('make exactly the tables and columns that the types say', async () => {
    const tables = await database.db.introspection.getTables();
    const made = tables.map(
      (table) => [table.name, table.columns.map(({ name }) => name).sort()] as const,
    );
    const said = Object.entries(columns).map(([name, list]) => [name, [...list].sort()] as const);
    expect(Object.fromEntries(made)).toEqual(Object.fromEntries(said));
    expect(Object.keys(complete)).toHaveLength(tables.length);
  });

  it('let null be where the types say, and nowhere else', async () => {
    const tables = await database.db.introspection.getTables();
    const nullable = Object.fromEntries(
      tables.map(({ name, columns: found }) => [
        name,
        found.filter(({ isNullable }) => isNullable).map((column) => column.name),
      ]),
    );
    expect(nullable).toEqual({
      connection: [
        'enterprise_id',
        'organizational_unit_id',
        'token_sealed',
        'replaced_at',
        'token_owner',
      ],
      workspace_settings: ['approvals_channel_id'],
      approval: [
        'enterprise_id',
        'organizational_unit_id',
        'message_ts',
        'decided_by',
        'decision_reason',
        'decided_at',
        'begun_at',
        'outcome',
        'finished_at',
        'subject_id',
        'step',
        'basis',
        'basis_digest',
        'wake_at',
        'lease_holder',
        'kept_by',
        'direct_channel_id',
        'direct_ts',
        'drawing_until',
      ],
      decision_log: ['actor', 'approval_id', 'action', 'subject_id', 'personal_digest'],
      decision_log_personal: [],
      decision_log_head: ['announced_at'],
      delivery_channel: ['due_at', 'lease_holder', 'lease_until'],
      delivery_message: [
        'subject',
        'reply_to',
        'group_key',
        'message',
        'posted_channel_id',
        'message_ts',
        'settled_at',
      ],
      delivery_summary: ['untold_since', 'posted_channel_id', 'message_ts', 'sent_at'],
    } satisfies { [Table in keyof Tables]: NullableColumn<Tables[Table]>[] });
  });

  it('do nothing the second time', async () => {
    const provider = { getMigrations: async () => migrations };
    const { error, results } = await new Migrator({
      db: database.db,
      provider,
    }).migrateToLatest();
    expect(error).toBeUndefined();
    expect(results).toEqual([]);
  });

  it('make counts read as numbers, on every store', async () => {
    const { rows } = await sql<{ n: unknown }>`select count(*) as n`.execute(database.db);
    expect(rows).toEqual([{ n: 1 }]);
  });
});

describe.runIf(postgresUrl)('several processes on one PostgreSQL', () => {
  it('may all start at once on an empty database', async () => {
    const { url, drop } = await createDatabase(postgresUrl ?? '');
    try {
      const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase(url)));
      await Promise.all(opened.map(({ close }) => close()));
    } finally {
      await drop();
    }
  });
});

type NullableColumn<Table> = {
  [Column in keyof Table]: null extends Table[Column] ? Column : never;
}[keyof Table];
