import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { settingsOf } from '../../../src/workspace/setup-change.ts';
import { dropEndedChange, eraseSetupChanges } from '../../../src/workspace/store/drop-changes.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import {
  createWorkspaceStore,
  type WorkspaceStore,
} from '../../../src/workspace/store/workspace-store.ts';
import { sampleChange } from '../../features/setup/sample-change.ts';
import {
  logKeys,
  newSetup,
  newTeamId,
  noon,
  onePm,
  openApprovalStore,
  pendingRequest,
} from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';

describe.each(databases())('waiting changes of the setup on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: WorkspaceStore;
  const keys = logKeys;
  beforeAll(async () => {
    database = await open();
    store = createWorkspaceStore(database.db, createTokenCipher(keys), {
      append: createAppendEntry(keys),
      isServed: serveAll,
      onConnectionReplaced: async () => [],
      onConnectionRemoved: async () => undefined,
      onSetupSaved: async () => [],
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
    });
  });
  afterAll(() => database.close());

  /** A workspace that was set up once, and a change of everything that waits. */
  async function addChange(token: string | undefined = 'canary-token', setup = newSetup()) {
    await store.saveSetup(setup);
    const { teamId } = setup;
    const change = sampleChange('eu', {
      changeId: crypto.randomUUID(),
      connectionId: token && crypto.randomUUID(),
    });
    const common = { teamId, createdBy: 'U_CLEO', at: noon };
    await store.addChange({ ...common, change, token });
    const ref = { teamId, changeId: change.changeId };
    const save = () =>
      store.saveChange({ ...ref, savedBy: 'U_CLEO', isAnnounced: true, at: onePm });
    return { teamId, change, ref, save };
  }

  const rowOf = ({ changeId }: { changeId: string }) =>
    database.db
      .selectFrom('setup_change')
      .selectAll()
      .where('id', '=', changeId)
      .executeTakeFirstOrThrow();

  it('stores the token only encrypted, for the connection and team of the change', async () => {
    const { ref, change, teamId } = await addChange();
    const row = await rowOf(ref);
    expect(JSON.stringify(row)).not.toContain('canary');
    const sealed = row.token_sealed ?? '';
    const connectionId = change.connectionId ?? '';
    const cipher = createTokenCipher(keys);
    expect(cipher.open(sealed, { teamId, connectionId })).toBe('canary-token');
    expect(cipher.open(sealed, { teamId: 'T_OTHER', connectionId })).toBeUndefined();
  });

  it('is found only by the admin whose form it was, until it is saved', async () => {
    const { ref, change, save } = await addChange();
    expect(await store.findChange(ref, 'U_CLEO')).toEqual(change);
    expect(await store.findChange(ref, 'U_DAN')).toBeUndefined();
    expect(await store.findChange({ ...ref, teamId: 'T_OTHER' }, 'U_CLEO')).toBeUndefined();
    await save();
    expect(await store.findChange(ref, 'U_CLEO')).toBeUndefined();
  });

  it('is saved exactly as it was shown, once, and its token is wiped', async () => {
    const { teamId, ref, change, save } = await addChange();
    expect(await store.isChangeSaved(ref)).toBe(false);
    const outcomes = await Promise.all([save(), save(), save()]);
    expect(outcomes.map(({ result }) => result).sort()).toEqual([
      'saved',
      'saved-before',
      'saved-before',
    ]);
    expect(await store.isChangeSaved(ref)).toBe(true);
    const { after, connectionId: id } = change;
    const { regionId, organizationalUnitId } = after;
    expect(await store.openConnection(teamId)).toMatchObject({
      id,
      regionId,
      organizationalUnitId,
      tokenOwner: undefined,
      token: 'canary-token',
    });
    expect(await store.readSettings(teamId)).toEqual(settingsOf(change));
    expect(await rowOf(ref)).toMatchObject({ token_sealed: null, saved_by: 'U_CLEO' });
  });

  it('is not saved after another save', async () => {
    const { teamId, ref, save } = await addChange();
    await store.saveSetup(newSetup({ teamId }));
    expect(await save()).toEqual({ result: 'changed-meanwhile' });
    expect(await store.isChangeSaved(ref)).toBe(false);
  });

  const personalText = async (ref: { changeId: string }) => {
    const { change, token_sealed } = await rowOf(ref);
    return [token_sealed, JSON.stringify(change).match(/tokenOwner\w+/)].filter((one) => one);
  };

  it('keeps no token and no address after another save', async () => {
    const { teamId, ref } = await addChange();
    expect(await personalText(ref)).toHaveLength(2);
    await store.saveSetup(newSetup({ teamId }));
    expect(await personalText(ref)).toEqual([]);
    expect(await store.findChange(ref, 'U_CLEO')).toMatchObject({ basedOn: 1 });
  });

  it('keeps no token and no address after a change by the operator', async () => {
    const { teamId, ref } = await addChange();
    await store.saveByOperator({ teamId, approvers: ['U_NEW'], at: onePm, by: {} });
    expect(await personalText(ref)).toEqual([]);
  });

  it('keeps the addresses until it was announced', async () => {
    const { ref, save } = await addChange();
    await save();
    expect(await personalText(ref)).toHaveLength(1);
    await store.announce(ref, async () => undefined);
    expect(await personalText(ref)).toEqual([]);
  });

  it('keeps no address if it is not announced', async () => {
    const { ref } = await addChange();
    await store.saveChange({ ...ref, savedBy: 'U_CLEO', isAnnounced: false, at: onePm });
    expect(await personalText(ref)).toEqual([]);
  });

  it('is announced once, however many processes try', async () => {
    const { ref, save } = await addChange();
    const due = async () => (await store.findUnannounced(ref.teamId, onePm)).parsed;
    expect(await due()).toEqual([]);
    await save();
    expect(await due()).toMatchObject([{ savedBy: 'U_CLEO', approvedBy: undefined }]);
    let times = 0;
    const announce = () =>
      store.announce(ref, async () => {
        times += 1;
      });
    await expect(
      store.announce(ref, async () => {
        throw new Error('not enqueued');
      }),
    ).rejects.toThrow('not enqueued');
    expect(await due()).toHaveLength(1);
    await Promise.all([announce(), announce()]);
    expect(times).toBe(1);
    expect(await due()).toEqual([]);
  });

  /** A request for its approval, as it is stored. */
  async function request({ teamId, ref }: { teamId: string; ref: { changeId: string } }) {
    const { db } = database;
    const [connection] = await store.listConnections(teamId);
    const change = { action: 'setup.change', subjectId: ref.changeId };
    const { store: approvals } = openApprovalStore(db);
    return pendingRequest(db, approvals, { teamId, connectionId: connection?.id ?? '', ...change });
  }

  it('is deleted after an hour if nobody confirms it, and after two days otherwise', async () => {
    const [waiting, requested, saved] = [await addChange(), await addChange(), await addChange()];
    await request(requested);
    await saved.save();
    await store.pruneChanges(addMinutes(noon, 60));
    await rowOf(waiting.ref);
    await store.pruneChanges(addMinutes(noon, 61));
    await expect(rowOf(waiting.ref)).rejects.toThrow();
    await rowOf(requested.ref);
    await store.pruneChanges(addDays(onePm, 2));
    await expect(rowOf(requested.ref)).rejects.toThrow();
    // Not before it was announced.
    expect(await rowOf(saved.ref)).toMatchObject({ token_sealed: null });
  });

  it('is deleted when its request ends, unless it was saved', async () => {
    const [waiting, other] = [await addChange(), await addChange()];
    const approval = await request(waiting);
    const end = (ended: Approval) =>
      database.db.transaction().execute((trx) => dropEndedChange(trx, ended));
    await end({ ...approval, action: 'users.disable' });
    expect(await personalText(waiting.ref)).toHaveLength(2);
    await end(approval);
    await expect(rowOf(waiting.ref)).rejects.toThrow();
    expect(await personalText(other.ref)).toHaveLength(2);
    const saving = await request(other);
    await other.save();
    await end(saving);
    expect(await store.isChangeSaved(other.ref)).toBe(true);
  });

  it('loses its addresses when entries are erased, unless it still waits', async () => {
    const [waiting, saved] = [await addChange(), await addChange()];
    await request(waiting);
    await saved.save();
    for (const { teamId } of [waiting, saved]) {
      await database.db.transaction().execute((trx) => eraseSetupChanges(trx, { teamId }));
    }
    expect(await personalText(waiting.ref)).toHaveLength(2);
    expect(await personalText(saved.ref)).toEqual([]);
  });

  it('the operator changes approvers and channel, logged and to be announced', async () => {
    const { teamId, save } = await addChange();
    const changed = await store.saveByOperator({
      teamId,
      approvers: ['U_NEW'],
      at: onePm,
      by: { actor: 'U_OPS' },
    });
    expect(changed).toMatchObject({ after: { approvers: ['U_NEW'] } });
    expect(await store.readSettings(teamId)).toMatchObject({ approvers: ['U_NEW'] });
    expect(await save()).toEqual({ result: 'changed-meanwhile' });
    const entry = await database.db
      .selectFrom('audit_log')
      .select(['event', 'actor', 'facts'])
      .where('team_id', '=', teamId)
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      event: 'approvers_changed',
      actor: 'U_OPS',
      facts: { after: ['U_NEW'], operator: true },
    });
    expect(await store.listUnannounced(onePm)).toContainEqual({ teamId });
    const { parsed } = await store.findUnannounced(teamId, onePm);
    expect(parsed).toMatchObject([{ savedBy: undefined }]);
    expect(await store.saveByOperator({ teamId: newTeamId(), at: onePm, by: {} })).toBeUndefined();
  });
});
