import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import type { WorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import type { Setup } from '../../../src/workspace/workspace.ts';
import { newSetup, newTeamId, onePm } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

describe.each(databases())('audit log entries of setup on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: WorkspaceStore;
  const keys = [randomBytes(32)];
  const append = createAppendEntry(keys);
  const storeWith = (hooks: Partial<Parameters<typeof createWorkspaceStore>[2]>) =>
    createWorkspaceStore(database.db, createTokenCipher(keys), {
      append,
      isServed: serveAll,
      onConnectionReplaced: async () => [],
      onConnectionRemoved: async () => undefined,
      onSetupSaved: async () => [],
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
      ...hooks,
    });
  beforeAll(async () => {
    database = await open();
    store = storeWith({});
  });
  afterAll(() => database.close());

  const entries = (teamId: string) =>
    database.db
      .selectFrom('audit_log')
      .select(['event', 'actor', 'at', 'facts'])
      .where('team_id', '=', teamId)
      .orderBy('seq')
      .execute();
  const personal = async (teamId: string) => {
    const rows = await database.db
      .selectFrom('audit_log_personal')
      .select('text')
      .where('team_id', '=', teamId)
      .orderBy('seq')
      .execute();
    return rows.map(({ text }) => text);
  };
  /** The same setup from another view, with nothing about the connection changed. */
  const again = (setup: Setup, changes: Partial<Setup> = {}) =>
    newSetup({
      ...setup,
      viewId: `${setup.viewId}+`,
      connection: undefined,
      at: onePm,
      ...changes,
    });

  it('records a first setup, without the token or its owner', async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    const by = { actor: setup.savedBy, at: setup.at };
    expect(await entries(setup.teamId)).toEqual([
      {
        event: 'connection_changed',
        ...by,
        facts: {
          connectionId: setup.connection?.id,
          regionId: 'eu',
          hasUnit: true,
          isFirst: true,
        },
      },
      {
        event: 'approvers_changed',
        ...by,
        facts: { before: [], after: ['U_BEN', 'U_CLEO'], adminsDecide: false },
      },
      {
        event: 'settings_changed',
        ...by,
        facts: {
          deleteGraceMinutesBefore: 30,
          deleteGraceMinutesAfter: 45,
          usersPerHourBefore: 10,
          usersPerHourAfter: 5,
          approvalsChannelAfter: 'C_APPROVALS',
          tokenOwnerChanged: true,
        },
      },
    ]);
    expect(await personal(setup.teamId)).toEqual([{ tokenOwnerAfter: setup.tokenOwner }]);
    const logged = JSON.stringify(await entries(setup.teamId));
    expect(logged).not.toContain('canary');
    expect(logged).not.toContain('@example.com');
  });

  it('records nothing for a setup that changes nothing', async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    const logged = await entries(setup.teamId);
    const { settings } = setup;
    const reordered = { ...settings, approvers: [...settings.approvers].reverse() };
    await store.saveSetup(again(setup, { settings: reordered }));
    expect(await entries(setup.teamId)).toEqual(logged);
  });

  it('records only what has changed', async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    const first = await entries(setup.teamId);
    const settings = { ...setup.settings, approvers: [], approvalsChannel: undefined };
    const saved = await store.saveSetup(again(setup, { settings, savedBy: 'U_OTHER' }));
    expect(saved).toEqual({ result: 'saved', voided: [] });
    expect((await entries(setup.teamId)).slice(first.length)).toEqual([
      {
        event: 'approvers_changed',
        actor: 'U_OTHER',
        at: onePm,
        facts: { before: ['U_BEN', 'U_CLEO'], after: [], adminsDecide: true },
      },
      {
        event: 'settings_changed',
        actor: 'U_OTHER',
        at: onePm,
        facts: { approvalsChannelBefore: 'C_APPROVALS' },
      },
    ]);
  });

  it('records a changed owner, which creates no new connection', async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    const first = await entries(setup.teamId);
    await store.saveSetup(again(setup, { tokenOwner: undefined }));
    expect((await entries(setup.teamId)).slice(first.length)).toMatchObject([
      { event: 'settings_changed', facts: { tokenOwnerChanged: true } },
    ]);
    expect((await personal(setup.teamId)).at(-1)).toEqual({ tokenOwnerBefore: setup.tokenOwner });
    expect(await store.listConnections(setup.teamId)).toMatchObject([
      { id: setup.connection?.id, tokenOwner: undefined },
    ]);
  });

  it('records the second of two concurrent first setups as a change to the first', async () => {
    const teamId = newTeamId();
    const approvers = [['U_BEN'], ['U_CLEO'], ['U_DEE'], ['U_EVA']];
    const { settings } = newSetup();
    await Promise.all(
      approvers.map((named) =>
        store.saveSetup(newSetup({ teamId, settings: { ...settings, approvers: named } })),
      ),
    );
    const changes = (await entries(teamId)).filter(({ event }) => event === 'approvers_changed');
    expect(changes).toHaveLength(4);
    const found = changes.map(({ facts }) => facts.before);
    const left = changes.map(({ facts }) => facts.after);
    expect(found).toEqual([[], ...left.slice(0, -1)]);
    expect(left.at(-1)).toEqual((await store.readSettings(teamId)).approvers);
  });

  it("saves nothing if the entry can't be written", async () => {
    const setup = newSetup();
    await store.saveSetup(setup);
    const withoutLog = storeWith({
      append: async () => {
        throw new Error('the log is out of reach');
      },
    });
    const settings = { ...setup.settings, approvers: ['U_NEW'] };
    await expect(withoutLog.saveSetup(again(setup, { settings }))).rejects.toThrow('out of reach');
    expect(await store.readSettings(setup.teamId)).toEqual(setup.settings);
  });

  it('calls onConnectionReplaced only for a replaced connection', async () => {
    const asked: unknown[] = [];
    const watched = storeWith({
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
      isServed: serveAll,
      onConnectionReplaced: async (_trx, change) => {
        asked.push(change);
        return [{ teamId: change.teamId, id: 'waiting' }];
      },
    });
    const setup = newSetup();
    const { teamId, savedBy: by, at } = setup;
    expect(await watched.saveSetup(setup)).toMatchObject({ voided: [] });
    expect(await watched.saveSetup(again(setup))).toMatchObject({ voided: [] });
    const replacing = newSetup({ teamId });
    const voided = [{ teamId, id: 'waiting' }];
    expect(await watched.saveSetup(replacing)).toMatchObject({ voided });
    expect(asked).toMatchObject([{ teamId, originId: setup.connection?.id, by, at }]);
  });
});
