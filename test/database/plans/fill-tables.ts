import { sql } from 'kysely';
import { deriveAuditKeys } from '../../../src/audit-log/hash-chain.ts';
import type { Database } from '../../../src/database/tables.ts';
import { encryptionKeyId, sealedPrefix } from '../../../src/encryption/cipher.ts';

/** Workspaces with one row in every table of settings, and rows of one of them in the tables that grow. */
const teams = 11_000;
const rows = 22_000;

/** An expression for each column; `i` is the number of the row. */
type Columns = Record<string, string>;

const id = (kind: number) => `('00000000-0000-4000-8${kind}00-' || lpad(i::text, 12, '0'))::uuid`;
/** The connection of the team of a row. */
const teamOf = `'T' || lpad((i % ${teams} + 1)::text, 8, '0')`;
const connectionOf = `('00000000-0000-4000-8100-' || lpad((i % ${teams} + 1)::text, 12, '0'))::uuid`;
const originOf = `('00000000-0000-4000-8200-' || lpad((i % ${teams} + 1)::text, 12, '0'))::uuid`;
/** Depend on the encryption key. */
const sealed = 'sealed';
const signingKey = 'signing key';
/** Evenly spread over a year. */
const past = `now() - interval '1 day' - interval '1 year' * i / ${rows}`;
/** Newer than the oldest rows of tables that are pruned after a short time. */
const recent = `now() - interval '1 millisecond' * i`;
const soon = `now() + interval '1 day' + interval '1 second' * i`;
const channel = `'C' || lpad((i / 20)::text, 8, '0')`;
const person = `'U' || lpad((i % 500)::text, 8, '0')`;

const perTeam: Record<string, Columns> = {
  connection: {
    id: id(1),
    team_id: `'T' || lpad((i % ${teams} + 1)::text, 8, '0')`,
    region_id: `'eu'`,
    token_sealed: sealed,
    saved_by: person,
    saved_at: past,
    origin_id: id(2),
    token_expires_at: `now() + interval '1 year'`,
  },
  workspace_settings: {
    team_id: teamOf,
    settings: `jsonb_build_object('approvalsChannel', ${channel})`,
  },
  installation: {
    id: id(3),
    team_id: teamOf,
    app_id: `'A0BELAY001'`,
    state: `'active'`,
    installed_by: person,
    installed_at: past,
    check_at: soon,
    bot_token_sealed: sealed,
  },
  alert_poll: { connection_id: connectionOf, team_id: teamOf, next_poll_at: soon },
  policy_observation: {
    connection_id: connectionOf,
    team_id: teamOf,
    next_at: `now() + interval '2 minutes' + interval '1 second' * (i % 600)`,
  },
  compliance_sampling: { connection_id: connectionOf, team_id: teamOf, next_at: soon },
  home_team: { team_id: teamOf },
  audit_log_head: {
    team_id: teamOf,
    chain_id: id(4),
    seq: '4',
    hash: `'hash' || i`,
    announced_seq: '4',
    announced_at: 'now()',
  },
};

const perRow: Record<string, Columns> = {
  watch: {
    id: id(5),
    team_id: teamOf,
    connection_id: connectionOf,
    channel_id: channel,
    search: `'{}'`,
    created_by: person,
    created_at: past,
    ended_at: `case when i % 3 > 0 then ${past} end`,
    ended_by: `case when i % 3 > 0 then ${person} end`,
    connection_origin_id: originOf,
  },
  watched_alert: {
    watch_id: id(5),
    alert_key: `'alert' || i`,
    is_cleared: 'i % 2 = 0',
    notified_as: `'message'`,
    muted_by: `case when i % 10 = 0 then ('00000000-0000-4000-8f00-' || lpad(i::text, 12, '0'))::uuid end`,
    seen_at: past,
  },
  mute: {
    id: `('00000000-0000-4000-8f00-' || lpad(i::text, 12, '0'))::uuid`,
    team_id: teamOf,
    connection_origin_id: originOf,
    channel_id: channel,
    search: `'{}'`,
    reason: `'Maintenance'`,
    ends_at: soon,
    created_by: person,
    created_at: past,
  },
  alert_state: {
    team_id: teamOf,
    connection_origin_id: originOf,
    alert_key: `'alert' || i`,
    alert_id: `'alert' || i`,
    title: `'vm'`,
    owner: person,
    owned_since: past,
    snoozed_until: `case when i % 2 = 0 then ${soon} end`,
    snoozed_by: `case when i % 2 = 0 then ${person} end`,
    refresh_at: `case when i % 20 = 0 then ${soon} end`,
    changed_at: past,
  },
  alert_clearing: {
    id: `('00000000-0000-4000-8e80-' || lpad(i::text, 12, '0'))::uuid`,
    team_id: teamOf,
    connection_id: connectionOf,
    connection_origin_id: originOf,
    search: `'{}'`,
    created_by: person,
    created_at: past,
    confirmed_at: past,
    channel_id: channel,
    finished_at: recent,
  },
  alert_clearing_item: {
    clearing_id: `('00000000-0000-4000-8e80-' || lpad(i::text, 12, '0'))::uuid`,
    position: '1',
    team_id: teamOf,
    alert_id: `'alert' || i`,
    due_at: past,
    result: `'cleared'`,
  },
  compliance_watch: {
    id: id(6),
    team_id: teamOf,
    channel_id: channel,
    policy_id: `'P' || i`,
    policy_name: `'Gold'`,
    max_count: '3',
    created_by: person,
    created_at: past,
    is_above: 'false',
    next_read_at: soon,
    connection_origin_id: originOf,
  },
  policy_watch: {
    team_id: teamOf,
    channel_id: channel,
    created_by: person,
    created_at: past,
    connection_origin_id: originOf,
  },
  digest: {
    id: id(7),
    team_id: teamOf,
    channel_id: channel,
    time: `'08:15'`,
    weekdays: `'[1]'`,
    time_zone: `'Europe/Lisbon'`,
    parts: `'["alerts"]'`,
    search: `'{}'`,
    when_empty: `'silence'`,
    created_by: person,
    created_at: past,
    source_view_id: `'V' || i`,
    next_run_at: soon,
    covered_until: past,
  },
  restore_drill: {
    id: `('00000000-0000-4000-8d00-' || lpad(i::text, 12, '0'))::uuid`,
    team_id: teamOf,
    connection_origin_id: originOf,
    channel_id: channel,
    plan: `'{}'`,
    created_by: person,
    created_at: past,
    next_run_at: soon,
  },
  restore_drill_run: {
    id: `('00000000-0000-4000-8e00-' || lpad(i::text, 12, '0'))::uuid`,
    team_id: teamOf,
    drill_id: `('00000000-0000-4000-8d00-' || lpad(i::text, 12, '0'))::uuid`,
    due_at: past,
    volume_id: `'v' || i`,
    volume_name: `'billing'`,
    state: `'restored'`,
    created_at: past,
    finished_at: past,
  },
  digest_run: {
    digest_id: id(7),
    team_id: teamOf,
    due_at: past,
    run_at: past,
    since: past,
  },
  compliance_sample: {
    team_id: teamOf,
    connection_id: connectionOf,
    policy_id: `'P' || i`,
    policy_name: `'Gold'`,
    taken_at: past,
  },
  observed_policy: {
    team_id: teamOf,
    connection_id: connectionOf,
    policy_id: `'P' || i`,
    definition: `'{}'`,
  },
  policy_catalog: {
    team_id: teamOf,
    connection_id: connectionOf,
    policy_id: `'P' || i`,
    name: `'Gold'`,
    source: `'person'`,
    added_at: past,
  },
  policy_change: {
    team_id: teamOf,
    connection_id: connectionOf,
    policy_id: `'P' || i`,
    policy_name: `'Gold'`,
    kind: `'changed'`,
    changes: `'[]'`,
    found_at: past,
  },
  policy_draft: {
    id: id(8),
    team_id: teamOf,
    connection_id: connectionOf,
    slack_user_id: person,
    policy_id: `'P' || i`,
    content: `'{}'`,
    revision: '1',
    saved_at: past,
    expires_at: soon,
  },
  approval: {
    id: id(9),
    team_id: teamOf,
    connection_id: connectionOf,
    action: `'users.disable'`,
    reason: `'left'`,
    requester: person,
    state: `'completed'`,
    version: '3',
    published_version: '3',
    source_view_id: `'V' || i`,
    channel_id: channel,
    message_ts: `i::text`,
    decided_by: person,
    decided_at: past,
    finished_at: past,
    requested_at: past,
    expires_at: past,
    connection_origin_id: originOf,
  },
  run: {
    id: id(9),
    team_id: teamOf,
    approval_id: id(9),
    position: '0',
    subject_id: `'user' || i`,
    payload: `'{"userId":"1","email":"a@example.com","fullName":"A"}'`,
    snapshot: `'{}'`,
    state: `'completed'`,
    version: '2',
    step: `'disable'`,
    finished_at: past,
  },
  request_copy: {
    team_id: teamOf,
    approval_id: id(9),
    kind: `case when i % 2 = 0 then 'requester' else 'approver' end`,
    slack_user_id: person,
    shown_version: '3',
    channel_id: `'D' || i`,
    message_ts: `i::text`,
  },
  audit_log: {
    team_id: teamOf,
    seq: `i / ${teams} + 1`,
    at: past,
    event: `'approved'`,
    actor: person,
    approval_id: id(9),
    action: `'users.disable'`,
    subject_id: `'user' || i`,
    facts: `'{}'`,
    key_id: signingKey,
    previous_hash: `'p'`,
    hash: `'h'`,
  },
  audit_log_personal: { team_id: teamOf, seq: `i / ${teams} + 1`, salt: `'s'`, text: `'{}'` },
  audit_refusal: { team_id: teamOf, refusal_hash: `'r' || i`, since: recent, times: '1' },
  delivery_channel: {
    team_id: teamOf,
    channel_id: `'C' || lpad(i::text, 8, '0')`,
    last_position: '20',
    ready_at: past,
  },
  delivery_message: {
    team_id: teamOf,
    channel_id: channel,
    owner_slack_user_id: person,
    subject: `'s' || i`,
    state: `'sent'`,
    position: 'i',
    queued_at: past,
    settled_at: past,
    message_ts: `i::text`,
    group_key: `case when i % 2 = 0 then 'g' end`,
  },
  delivery_summary: {
    team_id: teamOf,
    channel_id: channel,
    owner_slack_user_id: person,
    group_key: `'g' || i`,
    title: `'t'`,
    counts: `'{}'`,
    since: past,
    last_at: past,
    state: `'closed'`,
    position: 'i',
    overflowed_at: past,
  },
  home_tab: {
    team_id: teamOf,
    slack_user_id: `'U' || lpad(i::text, 8, '0')`,
    opened_at: past,
    next_at: past,
    rendered_version: '0',
  },
  setup_change: {
    id: id(0),
    team_id: teamOf,
    change: `'{}'`,
    created_at: recent,
    saved_at: recent,
    saved_by: person,
  },
  stand_in: {
    team_id: teamOf,
    approver: `'A' || i`,
    stand_in: person,
    ends_at: past,
  },
  token_page: {
    id: id(0),
    team_id: teamOf,
    form_id: id(0),
    secret_hash: `'h' || i`,
    created_by: person,
    shown: `'{}'`,
    expires_at: soon,
  },
  user_group: { team_id: teamOf, group_id: `'S' || i`, read_at: recent },
  channel_connection: {
    team_id: teamOf,
    channel_id: `'C' || i`,
    origin_id: id(2),
    pinned_by: person,
  },
};

/**
 * Fills every table that grows with rows that are not due, and vacuums as PostgreSQL does later on its own. The
 * encrypted values and the audit logs look as if they were written with this key.
 */
export async function fillTables(db: Database, encryptionKey: Buffer): Promise<void> {
  const written: Columns = {
    [sealed]: `'${sealedPrefix(encryptionKeyId(encryptionKey))}' || i`,
    [signingKey]: `'${deriveAuditKeys([encryptionKey]).first.id}'`,
  };
  const withKey = (columns: Columns) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, value]) => [name, written[value] ?? value]),
    );
  for (const [table, columns] of Object.entries(perTeam))
    await fill(db, table, teams, withKey(columns));
  for (const [table, columns] of Object.entries(perRow))
    await fill(db, table, rows, withKey(columns));
  await sql`vacuum analyze`.execute(db);
}

async function fill(db: Database, table: string, count: number, columns: Columns): Promise<void> {
  const names = Object.keys(columns).map((name) => sql.ref(name));
  const values = Object.values(columns).map((value) => sql.raw(`(${value})`));
  await sql`
    insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(values)} from generate_series(1, ${sql.lit(count)}) as i`.execute(db);
}
