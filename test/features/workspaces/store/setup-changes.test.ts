import { randomBytes } from 'node:crypto';
import { subDays } from 'date-fns/subDays';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../../src/database/open-database.ts';
import { createTokenCipher } from '../../../../src/features/workspaces/store/token-cipher.ts';
import {
  createWorkspaceStore,
  type WorkspaceStore,
} from '../../../../src/features/workspaces/store/workspace-store.ts';
import { databases } from '../../../support/databases.ts';
import { newSetup, newTeamId, noon, onePm } from '../../approvals/store/rows.ts';
import { sampleChange } from '../../setup/sample-change.ts';

describe.each(databases())('waiting changes of the setup on $name', ({ open }) => {
  let database: OpenDatabase;
  let store: WorkspaceStore;
  const keys = [randomBytes(32)];
  beforeAll(async () => {
    database = await open();
    store = createWorkspaceStore(database.db, createTokenCipher(keys), {
      append: createAppendEntry(keys),
      onConnectionReplaced: async () => [],
      onSetupSaved: async () => [],
      onApproversChanged: async () => undefined,
    });
  });
  afterAll(() => database.close());

  /** A workspace that was set up once, and a change of everything that waits. */
  async function addChange(token: string | undefined = 'canary-token') {
    const setup = newSetup();
    await store.saveSetup(setup);
    const { teamId } = setup;
    const change = sampleChange('eu', {
      changeId: crypto.randomUUID(),
      connectionId: token && crypto.randomUUID(),
    });
    const common = { teamId, enterpriseId: undefined, createdBy: 'U_CLEO', at: noon };
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
    expect(await store.openConnection(teamId)).toEqual({
      ...{ id, regionId, organizationalUnitId, tokenOwner: undefined, token: 'canary-token' },
    });
    expect(await store.readSettings(teamId)).toEqual({
      ...{ approvers: ['U1', 'U2'], approvalsChannelId: undefined },
      ...{ deleteGraceMinutes: 0, usersPerHour: 1000 },
    });
    expect(await rowOf(ref)).toMatchObject({ token_sealed: null, saved_by: 'U_CLEO' });
  });

  it('is not saved after another save', async () => {
    const { teamId, ref, save } = await addChange();
    await store.saveSetup(newSetup({ teamId }));
    expect(await save()).toEqual({ result: 'changed-meanwhile' });
    expect(await store.isChangeSaved(ref)).toBe(false);
  });

  it('is announced once, however many processes try', async () => {
    const { ref, save } = await addChange();
    const due = async () =>
      (await store.findUnannounced(onePm)).filter((one) => one.teamId === ref.teamId);
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

  it('is deleted when it is old, but not before it was announced', async () => {
    const [waiting, saved] = [await addChange(), await addChange()];
    await saved.save();
    await store.pruneChanges(subDays(noon, 1));
    await rowOf(waiting.ref);
    await store.pruneChanges(onePm);
    await expect(rowOf(waiting.ref)).rejects.toThrow();
    expect(await rowOf(saved.ref)).toMatchObject({ token_sealed: null });
  });

  it('the operator changes approvers and channel, logged and to be announced', async () => {
    const { teamId, save } = await addChange();
    const changed = await store.saveByOperator({
      ...{ teamId, approvers: ['U_NEW'], at: onePm, by: { actor: 'U_OPS' } },
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
    const due = await store.findUnannounced(onePm);
    expect(due.find((one) => one.teamId === teamId)).toMatchObject({ savedBy: undefined });
    expect(await store.saveByOperator({ teamId: newTeamId(), at: onePm, by: {} })).toBeUndefined();
  });
});
