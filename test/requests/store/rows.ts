import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Database } from '../../../src/database/tables.ts';
import type { Approval, NewApproval, NewRun } from '../../../src/requests/approval.ts';
import type { ApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { createApprovalStore } from '../../../src/requests/store/approval-store.ts';
import { defaultAccess, defaultSettings } from '../../../src/workspace/settings/document.ts';
import type { Setup } from '../../../src/workspace/workspace.ts';

export const noon = new Date('2026-03-01T12:00:00Z');
export const onePm = new Date('2026-03-01T13:00:00Z');
export const eightPm = new Date('2026-03-01T20:00:00Z');

/** A workspace that no other test uses. */
export function newTeamId(): string {
  return `T${randomUUID()}`;
}

/** Of the request, and of its run if it is about one subject. */
type NewRequest = Partial<NewApproval & Omit<NewRun, 'id' | 'personal'>>;

/** A request by U_REQUESTER from noon to eight. Inserts its connection. */
export async function newApproval(db: Database, changes: NewRequest = {}): Promise<NewApproval> {
  const teamId = changes.teamId ?? newTeamId();
  const connectionId = changes.connectionId ?? (await insertConnection(db, teamId));
  const { payload, subjectId, snapshot, checks, step, ...ofRequest } = changes;
  const id = changes.id ?? randomUUID();
  const personal = changes.personal ?? { summary: 'disable *Ana*' };
  return {
    id,
    teamId,
    connectionId,
    action: 'users.disable',
    preview: [{ label: 'State', value: 'enabled' }],
    postBy: new Date('2026-03-01T12:02:00Z'),
    personal,
    reason: 'left the company',
    requester: 'U_REQUESTER',
    channelId: 'C1',
    requiredApprovals: 1,
    rule: undefined,
    approvers: [],
    sourceViewId: `V${randomUUID()}`,
    requestedAt: noon,
    expiresAt: eightPm,
    runs: [
      {
        id,
        payload: payload ?? { userId: 'u-1', name: 'Ana “A” \\ Ünï' },
        subjectId: subjectId ?? `u-${randomUUID()}`,
        snapshot: 'snapshot' in changes ? snapshot : { isEnabled: true },
        checks: checks ?? [{ label: 'not the last administrator', result: 'passed' }],
        step: step ?? 'disable',
        personal,
      },
    ],
    ...ofRequest,
  };
}

/** The origin of the team's default connection. */
export async function readOrigin(db: Database, teamId: string): Promise<string> {
  const row = await db
    .selectFrom('connection')
    .select('origin_id')
    .where('team_id', '=', teamId)
    .where('replaced_at', 'is', null)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow();
  return row.origin_id;
}

export const logKeys = [Buffer.alloc(32, 7)];

/** The store as the app builds it, with the rows that it changed, those that ended, and what it committed. */
export function openApprovalStore(db: Database) {
  const changed: Approval[] = [];
  const ended: Approval[] = [];
  /** The rows that each transaction changed. */
  const commits: Approval[][] = [];
  const hooks = {
    append: createAppendEntry(logKeys),
    onChanged: async (_: unknown, approval: Approval) => void changed.push(approval),
    onEnded: async (_: unknown, approval: Approval) => void ended.push(approval),
    onCommitted: (rows: Approval[]) => void commits.push(rows),
  };
  const store = createApprovalStore(db, hooks, serveAll);
  return { store, changed, ended, commits };
}

/** A pending request that was posted. */
export async function pendingRequest(
  db: Database,
  store: ApprovalStore,
  changes: NewRequest = {},
): Promise<Approval> {
  const created = await store.create(await newApproval(db, changes), { isRepeat: true });
  if (created.result !== 'created') throw new Error(`not created: ${created.result}`);
  const { teamId, id } = created.approval;
  return store.recordMessage({ teamId, id, channelId: 'C1', messageTs: '1.000001' });
}

/** A connection in use; resolves to its id. The second one of a team needs another name. */
export async function insertConnection(
  db: Database,
  teamId: string,
  { name, is_default }: { name?: string; is_default?: boolean } = {},
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('connection')
    .values({
      id,
      team_id: teamId,
      region_id: 'eu',
      token_sealed: 'sealed',
      saved_by: 'U_ADMIN',
      saved_at: noon,
      name,
      is_default,
      origin_id: id,
    })
    .execute();
  return id;
}

/** A submission of setup that makes a new connection. */
export function newSetup(changes: Partial<Setup> = {}): Setup {
  return {
    teamId: newTeamId(),
    connection: {
      id: randomUUID(),
      regionId: 'eu',
      organizationalUnitId: 'ou-1',
      token: 'canary-token-7f3a',
    },
    tokenOwner: 'service-account@example.com',
    settings: {
      ...defaultSettings,
      approvalsChannel: 'C_APPROVALS',
      approvers: ['U_BEN', 'U_CLEO'],
      deleteGraceMinutes: 45,
      usersPerHour: 5,
      access: defaultAccess,
    },
    savedBy: 'U_ADMIN',
    viewId: `V${randomUUID()}`,
    basedOn: undefined,
    at: noon,
    ...changes,
  };
}

/** Gives a copy of the only run to requests that a test has copied. */
export async function copyRun(db: Database): Promise<void> {
  await sql`
    insert into run select (jsonb_populate_record(one, jsonb_build_object(
      'id', approval.id, 'approval_id', approval.id))).*
    from approval, run as one
    where one.id = (select id from run limit 1)
      and not exists (select 1 from run as own where own.approval_id = approval.id)`.execute(db);
}

type Decision = Parameters<ApprovalStore['decide']>[0];
type Approving = Extract<Decision, { to: 'approved' }>;
type Other = Exclude<Decision, Approving>;

/** Decides as people do: an approval counts beside those before it, which all still count. */
export async function decideAs(
  store: ApprovalStore,
  { to, ...decision }: Omit<Approving, 'to' | 'counted'> & { to: Decision['to'] },
): ReturnType<ApprovalStore['decide']> {
  if (to !== 'approved') return store.decide({ ...decision, to } satisfies Other);
  for (;;) {
    const votes = (await store.find(decision))?.votes ?? [];
    const counted = { votes, meets: [0] };
    const decided = await store.decide({ ...decision, to, counted });
    if (decided !== 'votes-changed') return decided;
  }
}
