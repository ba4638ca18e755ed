import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { runAdmin } from '../../src/admin/run-admin.ts';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { serveAll } from '../../src/database/served-teams.ts';
import { createTokenCipher } from '../../src/workspace/store/token-cipher.ts';
import {
  createWorkspaceStore,
  type WorkspaceStore,
} from '../../src/workspace/store/workspace-store.ts';
import { newSetup } from '../requests/store/rows.ts';
import { openFromTemplate } from '../support/database-template.ts';

const key = randomBytes(32);
let database: OpenDatabase;
let store: WorkspaceStore;
beforeAll(async () => {
  database = await openFromTemplate(inject('databaseTemplate'));
  store = createWorkspaceStore(database.db, createTokenCipher([key]), {
    append: createAppendEntry([key]),
    isServed: serveAll,
    onConnectionReplaced: async () => [],
    onConnectionRemoved: async () => undefined,
    onSetupSaved: async () => [],
    onApproversChanged: async () => undefined,
    onConnectionsChanged: async () => undefined,
  });
});
afterAll(() => database.close());

async function run(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const openDatabase = async () => ({ ...database, close: async () => undefined });
  const env = { BELAY_ENCRYPTION_KEYS: key.toString('base64') };
  const code = await runAdmin(['settings', 'set', ...args], { env, stdout, stderr, openDatabase });
  stdout.end();
  stderr.end();
  const [out, error] = await said;
  return { code, out, error };
}

async function entriesOf(teamId: string) {
  const rows = await database.db
    .selectFrom('audit_log as entry')
    .leftJoin('audit_log_personal as personal', (join) =>
      join.onRef('personal.team_id', '=', 'entry.team_id').onRef('personal.seq', '=', 'entry.seq'),
    )
    .select(['entry.event', 'entry.actor', 'entry.facts', 'personal.text'])
    .where('entry.team_id', '=', teamId)
    .orderBy('entry.seq')
    .execute();
  return rows.map(({ facts, ...row }) => ({ ...row, isByOperator: facts.operator }));
}

it('sets approvers and channel of one workspace, to be announced', async () => {
  const [setup, other] = [newSetup(), newSetup()];
  for (const one of [setup, other]) await store.saveSetup(one);
  const { teamId } = setup;
  const args = ['--approvers', 'U0NEW, U0BEN,U0NEW', '--approvals-channel', 'none'];
  expect(await run('--team', teamId, ...args, '--by', 'U024BE7LH9')).toEqual({
    code: 0,
    out: 'Approvers: U0NEW, U0BEN.\nApprovals channel: none.\nBelay announces the change in Slack once Belay is running.\n',
    error: '',
  });
  const { settings, revision } = await store.readSetup(teamId);
  expect(settings).toEqual({
    ...setup.settings,
    approvers: ['U0NEW', 'U0BEN'],
    approvalsChannel: undefined,
  });
  expect(revision).toBe(2);
  expect((await store.readSetup(other.teamId)).settings).toEqual(other.settings);
  const { parsed: due } = await store.findUnannounced(teamId, new Date());
  expect(due).toMatchObject([{ teamId, savedBy: undefined, approvedBy: undefined }]);
  const entries = await entriesOf(teamId);
  expect(entries.slice(-2)).toEqual([
    { event: 'approvers_changed', actor: 'U024BE7LH9', isByOperator: true, text: null },
    { event: 'settings_changed', actor: 'U024BE7LH9', isByOperator: true, text: null },
  ]);
});

it('has the Home tabs of the workspace published again', async () => {
  const setup = newSetup();
  const { teamId } = setup;
  await store.saveSetup(setup);
  await database.db.insertInto('home_team').values({ team_id: teamId }).execute();
  await run('--team', teamId, '--approvers', 'U0NEW', '--by', 'U024BE7LH9');
  const changes = database.db.selectFrom('home_change').selectAll().where('team_id', '=', teamId);
  expect(await changes.execute()).not.toEqual([]);
});

it('requires and records who the operator is', async () => {
  const setup = newSetup();
  await store.saveSetup(setup);
  const args = ['--team', setup.teamId, '--approvers', 'U0NEW', '--approvals-channel', 'C0NEW'];
  expect(await run(...args)).toMatchObject({
    code: 2,
    error: expect.stringContaining('Add --by with your Slack member ID or your name.'),
  });
  expect(await store.readSettings(setup.teamId)).toEqual(setup.settings);
  expect(await run(...args, '--by', ' Rita Sousa ')).toMatchObject({ code: 0 });
  const byName = { actor: null, isByOperator: true, text: { by: 'Rita Sousa' } };
  expect((await entriesOf(setup.teamId)).slice(-2)).toEqual([
    { event: 'approvers_changed', ...byName },
    { event: 'settings_changed', ...byName },
  ]);
});

it('lets the admins decide', async () => {
  const setup = newSetup();
  await store.saveSetup(setup);
  const args = ['--team', setup.teamId, '--approvers', 'admins', '--by', 'Rita Sousa'];
  expect((await run(...args)).out).toContain("Approvers: the workspace's admins.");
  expect(await store.readSettings(setup.teamId)).toMatchObject({ approvers: [] });
});

it.each([
  [[], 'Add --team'],
  [['--team', 'T1'], '--approvers or --approvals-channel'],
  [['--team', 'T1', '--approvers', 'ben'], '"ben" isn\'t a Slack member ID'],
  [['--team', 'T1', '--approvers', ''], "isn't a Slack member ID"],
  [
    ['--team', 'T1', '--approvers', Array.from({ length: 21 }, (_, at) => `U0${at}`).join()],
    'Name at most 20 approvers.',
  ],
  [['--team', 'T1', '--approvals-channel', 'D01'], "isn't the ID of a Slack channel"],
  [['--team', 'T_NONE', '--approvers', 'admins'], "Workspace T_NONE isn't set up."],
  [['--team', 'T1', '--entry', '1'], 'has no option --entry'],
])('%j is refused with one line', async (args, words) => {
  const { code, error } = await run(...args, '--by', 'Rita Sousa');
  expect(code).toBe(2);
  expect(error).toContain(words);
});
