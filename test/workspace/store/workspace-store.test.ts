import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import {
  createVoidSetupChanges,
  createVoidWaiting,
} from '../../../src/requests/store/void-waiting.ts';
import { defaultAccess, defaultSettings } from '../../../src/workspace/settings/document.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import type { WorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import type { Setup } from '../../../src/workspace/workspace.ts';
import {
  decideAs,
  logKeys,
  newSetup,
  newTeamId,
  noon,
  onePm,
  openApprovalStore,
  pendingRequest,
} from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

describe.each(databases())('the workspace store on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: WorkspaceStore;
  const withKeys = (keys: Buffer[]) => {
    const append = createAppendEntry(logKeys);
    const hooks = { append, onChanged: async () => undefined, onEnded: async () => undefined };
    const voidWaiting = createVoidWaiting(hooks);
    return createWorkspaceStore(database.db, createTokenCipher(keys), {
      append,
      isServed: serveAll,
      onConnectionReplaced: voidWaiting,
      onConnectionRemoved: async () => undefined,
      onSetupSaved: createVoidSetupChanges(hooks),
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
    });
  };
  beforeAll(async () => {
    database = await open();
    store = withKeys([randomBytes(32)]);
  });
  afterAll(() => database.close());

  const connectionRows = (teamId: string) =>
    database.db
      .selectFrom('connection')
      .selectAll()
      .where('team_id', '=', teamId)
      .orderBy('saved_at')
      .execute();

  const approvals = () => openApprovalStore(database.db).store;
  const requestOn = ({ teamId, connection }: Setup) =>
    pendingRequest(database.db, approvals(), { teamId, connectionId: connection?.id ?? '' });

  it('returns defaults for a workspace that was never set up', async () => {
    const teamId = newTeamId();
    expect(await store.listConnections(teamId)).toEqual([]);
    expect(await store.openConnection(teamId)).toBeUndefined();
    expect(await store.readSettings(teamId)).toEqual(defaultSettings);
  });

  it('returns the saved setup, the token only from openConnection', async () => {
    const setup = newSetup();
    expect(await store.saveSetup(setup)).toMatchObject({ voided: [] });
    const { tokenOwner } = setup;
    const { token: _, ...summary } = setup.connection ?? {};
    const own = { originId: setup.connection?.id, name: 'main', isDefault: true, tokenOwner };
    expect(await store.listConnections(setup.teamId)).toEqual([{ ...summary, ...own }]);
    const { connection } = setup;
    expect(await store.openConnection(setup.teamId)).toEqual({
      ...connection,
      ...own,
      isOnly: true,
    });
    expect(await store.readSettings(setup.teamId)).toEqual(setup.settings);
  });

  it('stores the token only encrypted', async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    expect(JSON.stringify(await connectionRows(setup.teamId))).not.toContain('canary');
  });

  it('reports a token that none of its keys opens', async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    const withOtherKeys = withKeys([randomBytes(32), randomBytes(32)]);
    expect(await withOtherKeys.openConnection(setup.teamId)).toBe('unreadable');
    expect(await withOtherKeys.listConnections(setup.teamId)).toHaveLength(1);
  });

  it('wipes the token of a connection that is replaced', async () => {
    const first = newSetup();
    await store.saveSetup(first);
    const second = newSetup({ teamId: first.teamId, at: onePm });
    await store.saveSetup(second);
    expect(await connectionRows(first.teamId)).toMatchObject([
      { id: first.connection?.id, token_sealed: null, token_owner: null, replaced_at: onePm },
      { id: second.connection?.id, token_sealed: expect.any(String), replaced_at: null },
    ]);
    expect(await store.openConnection(first.teamId)).toMatchObject({ ...second.connection });
  });

  it('changes settings without touching connection and requests', async () => {
    const first = newSetup();
    await store.saveSetup(first);
    const request = await requestOn(first);
    const settings = {
      ...defaultSettings,
      deleteGraceMinutes: 0,
      usersPerHour: 1000,
      weakeningApprovals: 1,
      access: {
        ...defaultAccess,
        roles: { viewers: [], operators: ['SOPS'], auditors: ['UBEN'], admins: [] },
      },
    };
    const tokenOwner = 'somebody-else';
    const changed = newSetup({
      ...first,
      connection: undefined,
      tokenOwner,
      settings,
      viewId: 'V2',
    });
    expect(await store.saveSetup(changed)).toMatchObject({ voided: [] });
    expect(await store.readSettings(first.teamId)).toEqual(settings);
    expect(await store.openConnection(first.teamId)).toMatchObject({
      ...first.connection,
      tokenOwner,
    });
    expect(await approvals().find(request)).toMatchObject({
      state: 'pending',
    });
  });

  it('saves once per view, even if it is submitted several times', async () => {
    const setup = newSetup();
    const again = () => newSetup({ teamId: setup.teamId, viewId: setup.viewId });
    const outcomes = await Promise.all([setup, again(), again()].map(store.saveSetup));
    expect(outcomes.filter(({ result }) => result === 'saved')).toHaveLength(1);
    expect(await connectionRows(setup.teamId)).toHaveLength(1);
    expect(await store.saveSetup(again())).toEqual({ result: 'saved-before' });
  });

  it('refuses a form that was opened before somebody else saved', async () => {
    const opened = newSetup();
    const { revision: basedOn } = await store.readSetup(opened.teamId);
    const first = newSetup({ teamId: opened.teamId, basedOn });
    expect(await store.saveSetup(first)).toMatchObject({ result: 'saved' });
    const settings = { ...first.settings, approvers: ['U_STALE'] };
    const stale = newSetup({ teamId: first.teamId, basedOn, settings, tokenOwner: 'stale' });
    expect(await store.saveSetup(stale)).toEqual({ result: 'changed-meanwhile' });
    expect(await store.readSettings(first.teamId)).toEqual(first.settings);
    const { connection, tokenOwner } = first;
    expect(await store.openConnection(first.teamId)).toMatchObject({ ...connection, tokenOwner });

    const { revision } = await store.readSetup(first.teamId);
    const fresh = { ...stale, basedOn: revision };
    expect(await store.saveSetup(fresh)).toMatchObject({ result: 'saved' });
    expect(await store.readSettings(first.teamId)).toEqual(settings);
  });

  it('has one active connection after two concurrent saves', async () => {
    const first = newSetup();
    const second = newSetup({ teamId: first.teamId, at: onePm });
    await Promise.all([store.saveSetup(first), store.saveSetup(second)]);
    const rows = await connectionRows(first.teamId);
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1);
  });

  it('voids pending requests on the old connection, only in this workspace', async () => {
    const here = newSetup();
    const elsewhere = newSetup();
    for (const setup of [here, elsewhere]) await store.saveSetup(setup);
    const [waiting, decided, foreign] = [
      await requestOn(here),
      await requestOn(here),
      await requestOn(elsewhere),
    ];
    await decideAs(approvals(), {
      ...refOf(decided),
      to: 'approved',
      by: 'U_BEN',
      mailboxHash: 'U_BEN',
      at: noon,
    });

    const saved = await store.saveSetup(newSetup({ teamId: here.teamId, at: onePm }));
    expect(saved).toMatchObject({ voided: [refOf(waiting)] });
    expect(await approvals().find(waiting)).toMatchObject({ state: 'voided', finishedAt: onePm });
    expect(await approvals().find(decided)).toMatchObject({ state: 'approved' });
    expect(await approvals().find(foreign)).toMatchObject({ state: 'pending' });
  });

  it('saves nothing if a statement fails', async () => {
    const first = newSetup();
    await store.saveSetup(first);
    const request = await requestOn(first);
    const other = newSetup();
    await store.saveSetup(other);
    // The id of a connection that exists: settings are written, then the insert fails.
    const colliding = newSetup({
      teamId: first.teamId,
      connection: other.connection,
      settings: { ...first.settings, approvalsChannel: 'C_NEW', approvers: ['U_NEW'] },
    });
    await expect(store.saveSetup(colliding)).rejects.toThrow(/duplicate key/);
    expect(await store.readSettings(first.teamId)).toEqual(first.settings);
    expect(await store.openConnection(first.teamId)).toMatchObject({ ...first.connection });
    expect(await approvals().find(request)).toMatchObject({
      state: 'pending',
    });
    // The same view can save after the failure.
    const retried = newSetup({ teamId: first.teamId, viewId: colliding.viewId });
    expect(await store.saveSetup(retried)).toMatchObject({ voided: [refOf(request)] });
  });

  it('does not open a token that was copied into the row of another workspace', async () => {
    const victim = newSetup();
    const thief = newSetup();
    for (const setup of [victim, thief]) await store.saveSetup(setup);
    const [stolen] = await connectionRows(victim.teamId);
    await database.db
      .updateTable('connection')
      .set({ token_sealed: stolen?.token_sealed ?? '' })
      .where('team_id', '=', thief.teamId)
      .execute();
    expect(await store.openConnection(thief.teamId)).toBe('unreadable');
  });

  it('refuses an active row without a token, and a replaced row with one', async () => {
    const row = {
      team_id: newTeamId(),
      region_id: 'eu',
      saved_by: 'U_ADMIN',
      saved_at: noon,
    };
    const insert = (rest: { token_sealed: string | null; replaced_at: Date | null }) =>
      database.db
        .insertInto('connection')
        .values({ ...row, id: randomUUID(), ...rest })
        .execute();
    await expect(insert({ token_sealed: null, replaced_at: null })).rejects.toThrow(/check/);
    await expect(insert({ token_sealed: 'x', replaced_at: noon })).rejects.toThrow(/check/);
  });
});

function refOf({ teamId, id }: { teamId: string; id: string }) {
  return { teamId, id };
}
