import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAppendEntry } from '../../../src/audit-log/append.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createCipher, encryptionKeyId } from '../../../src/encryption/cipher.ts';
import { findOutdated, reencrypt } from '../../../src/encryption/sealed-values.ts';
import { createInstallationStore } from '../../../src/features/installations/index.ts';
import { createKeyRotation, readKeyStatus } from '../../../src/features/keys/index.ts';
import { createLogger } from '../../../src/logger.ts';
import { joinReplicas } from '../../../src/replicas/replicas.ts';
import { TokenUnreadableError } from '../../../src/workspace/open-service.ts';
import { sealedTokens } from '../../../src/workspace/store/sealed-tokens.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { createWorkspaceStore } from '../../../src/workspace/store/workspace-store.ts';
import { newSetup, noon } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { sampleChange } from '../setup/sample-change.ts';

const [oldKey, newKey, lostKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const rotated = [newKey, oldKey];
const oldId = encryptionKeyId(oldKey);

describe.each(databases())('rotating the encryption keys on $name', ({ open }) => {
  let database: OpenDatabase;
  let logged: { msg: string }[];
  beforeEach(async () => {
    database = await open();
    logged = [];
  });
  afterEach(() => database.close());

  const storeWith = (...keys: Buffer[]) =>
    createWorkspaceStore(database.db, createTokenCipher(keys), {
      append: createAppendEntry(keys),
      isServed: serveAll,
      onConnectionReplaced: async () => [],
      onConnectionRemoved: async () => undefined,
      onSetupSaved: async () => [],
      onApproversChanged: async () => undefined,
      onConnectionsChanged: async () => undefined,
    });
  const log = createLogger('info', { write: (line) => void logged.push(JSON.parse(line)) });
  const messages = () => logged.map(({ msg }) => msg);
  const rotation = (...encryptionKeys: Buffer[]) =>
    createKeyRotation({ db: database.db, encryptionKeys, clock: () => noon, log });
  const status = (...encryptionKeys: Buffer[]) =>
    readKeyStatus(database.db, { encryptionKeys, now: noon });
  const join = (id: string, key: Buffer) =>
    joinReplicas(database.db, {
      id,
      version: '1.0.0',
      clock: () => noon,
      encryptionKeyId: encryptionKeyId(key),
    });
  const noLongerNeeded = `The key ${oldId} (number 2) is no longer needed: remove it from BELAY_ENCRYPTION_KEYS`;

  async function addWaiting(teamId: string, token: string, ...keys: Buffer[]) {
    const ids = { changeId: randomUUID(), connectionId: randomUUID() };
    const change = sampleChange('eu', { ...ids, basedOn: 1 });
    await storeWith(...keys).addChange({
      teamId,
      createdBy: 'U_CLEO',
      at: noon,
      change,
      token,
    });
    return { teamId, changeId: change.changeId };
  }

  it('re-encrypts everything, then says that the old key is no longer needed', async () => {
    const setup = newSetup();
    await storeWith(oldKey).saveSetup(setup);
    const ref = await addWaiting(setup.teamId, 'waiting-token', oldKey);
    expect(await status(...rotated)).toMatchObject({
      older: [{ id: oldId, position: 2, isNeeded: true }],
      unreadable: [],
    });
    const rotate = rotation(...rotated);
    await rotate();
    await rotate();
    expect(messages()).toEqual([noLongerNeeded]);
    expect(await status(...rotated)).toMatchObject({ older: [{ isNeeded: false }] });

    const store = storeWith(newKey);
    const { token } = setup.connection ?? {};
    expect(await store.openConnection(setup.teamId)).toMatchObject({ token });
    const by = { savedBy: 'U_CLEO', isAnnounced: false, at: noon };
    expect(await store.saveChange({ ...ref, ...by })).toMatchObject({ result: 'saved' });
    const changed = await store.openConnection(setup.teamId);
    expect(changed).toMatchObject({ token: 'waiting-token' });
    expect(await status(newKey)).toMatchObject({ unreadable: [], lostAuditKeys: [] });
  });

  it('re-encrypts the tokens of installations by OAuth', async () => {
    const storeOf = (...keys: Buffer[]) =>
      createInstallationStore(database.db, {
        cipher: createTokenCipher(keys),
        append: async () => undefined,
      });
    await storeOf(oldKey).save(
      {
        teamId: 'T9',
        enterpriseId: undefined,
        appId: 'A1',
        botToken: 'xoxe.xoxb-1',
        refreshToken: 'xoxe-1',
        expiresAt: undefined,
        installedBy: 'U_CLEO',
      },
      noon,
    );
    expect(await status(...rotated)).toMatchObject({ older: [{ isNeeded: true }] });
    await rotation(...rotated)();
    expect(await status(newKey)).toMatchObject({ unreadable: [] });
    expect(await storeOf(newKey).readToken({ teamId: 'T9' })).toMatchObject({
      token: 'xoxe.xoxb-1',
    });
    expect(await status(lostKey)).toMatchObject({
      unreadable: [{ name: "Slack's bot token" }, { name: "Slack's refresh token" }],
    });
  });

  it('needs the old key until a copy of the audit key derived from it is stored', async () => {
    await storeWith(oldKey).saveSetup(newSetup({ connection: undefined }));
    expect(await status(...rotated)).toMatchObject({ older: [{ isNeeded: true }] });
    await rotation(...rotated)();
    expect(await status(...rotated)).toMatchObject({ older: [{ isNeeded: false }] });
  });

  it('needs the old key for a log that an older version of Belay began', async () => {
    await storeWith(oldKey).saveSetup(newSetup({ connection: undefined }));
    // An older process that runs after migration 033 doesn't record the keys that sign.
    await database.db.deleteFrom('audit_key').execute();
    expect(await status(...rotated)).toMatchObject({ older: [{ isNeeded: true }] });
    expect((await status(newKey)).lostAuditKeys).toHaveLength(1);
    await rotation(...rotated)();
    expect(await status(...rotated)).toMatchObject({ older: [{ isNeeded: false }] });
    await storeWith(newKey).saveSetup(newSetup({ connection: undefined }));
  });

  it('waits until every process encrypts with the same key', async () => {
    const setup = newSetup();
    await storeWith(oldKey).saveSetup(setup);
    await join('this', newKey);
    const other = await join('other', oldKey);
    const rotate = rotation(...rotated);
    await rotate();
    await rotate();
    expect(messages()).toEqual(['waiting until all processes encrypt with the same key']);
    const { token } = setup.connection ?? {};
    expect(await storeWith(oldKey).openConnection(setup.teamId)).toMatchObject({ token });
    expect(await status(...rotated)).toMatchObject({
      older: [{ isNeeded: true }],
      otherProcesses: ['other'],
    });
    // With the same keys in another order, the two would undo each other's work forever.
    expect(await status(oldKey, newKey)).toMatchObject({ otherProcesses: ['this'] });
    await other.leave();
    await rotate();
    expect(messages().at(-1)).toBe(noLongerNeeded);
    expect(await storeWith(newKey).openConnection(setup.teamId)).toMatchObject({ token });
  });

  it('names each value whose key is lost, and re-encrypts the others', async () => {
    const [lost, setup] = [newSetup(), newSetup()];
    await storeWith(lostKey).saveSetup(lost);
    const waiting = await addWaiting(lost.teamId, 'lost-token', lostKey);
    await database.db.updateTable('audit_key').set({ sealed: 'v1.nonsense' }).execute();
    await storeWith(lostKey, oldKey).saveSetup({ ...setup, connection: undefined });
    await database.db
      .insertInto('connection')
      .values({
        id: randomUUID(),
        team_id: setup.teamId,
        region_id: 'eu',
        token_sealed: 'not even a sealed value',
        saved_by: 'U_CLEO',
        saved_at: noon,
      })
      .execute();
    const readable = await addWaiting(setup.teamId, 'waiting-token', oldKey);
    const rotate = rotation(...rotated);
    await rotate();
    await rotate();
    const unreadable = "a stored value can't be decrypted";
    expect(messages().sort()).toEqual(
      [
        ...[unreadable, unreadable, unreadable],
        ...["a key of the audit log's entries is missing", noLongerNeeded],
      ].sort(),
    );
    const { unreadable: rows, lostAuditKeys } = await status(newKey);
    expect(rows.map(({ table, teamId }) => [table, teamId])).toEqual(
      expect.arrayContaining([
        ['connection', lost.teamId],
        ['connection', setup.teamId],
        ['setup_change', lost.teamId],
      ]),
    );
    expect(rows).toHaveLength(3);
    expect(lostAuditKeys).toHaveLength(1);
    expect(rows.map(({ id }) => id)).not.toContain(readable.changeId);
    const store = storeWith(newKey);
    expect(await store.openConnection(lost.teamId)).toBe('unreadable');
    const save = store.saveChange({
      ...waiting,
      savedBy: 'U_CLEO',
      isAnnounced: false,
      at: noon,
    });
    await expect(save).rejects.toThrow(TokenUnreadableError);
  });

  it('does not overwrite what was saved between reading and writing', async () => {
    const setup = newSetup();
    await storeWith(oldKey).saveSetup(setup);
    const [source] = sealedTokens(database.db);
    const cipher = createCipher(rotated);
    for await (const { value, text } of findOutdated(source ? [source] : [], cipher)) {
      await storeWith(oldKey).saveSetup(newSetup({ teamId: setup.teamId }));
      const binding = value.binding ?? ['nothing'];
      expect(await source?.replace(value, cipher.seal(text ?? '', binding))).toBe(false);
    }
    const rows = await database.db
      .selectFrom('connection')
      .select('token_sealed')
      .where('replaced_at', 'is not', null)
      .execute();
    expect(rows).toEqual([{ token_sealed: null }]);
  });

  it('loses no save, regardless of the order of saves, restarts and re-encryption', async () => {
    const step = fc.constantFrom('save', 'overwrite', 'rotate', 'stop');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const setups = [newSetup(), newSetup(), newSetup()];
        for (const setup of setups) await storeWith(oldKey).saveSetup(setup);
        const sources = sealedTokens(database.db);
        await Promise.all(
          steps.map(async (kind, index) => {
            const teamId = setups[index % 3]?.teamId ?? '';
            const token = `token-${index}`;
            const stopping = kind === 'stop' ? AbortSignal.abort() : undefined;
            if (kind === 'rotate' || kind === 'stop') {
              await reencrypt(sources, createCipher(rotated), stopping);
            } else if (kind === 'save') {
              const { connection } = newSetup();
              const next = connection && { ...connection, token };
              await storeWith(...rotated).saveSetup(newSetup({ teamId, connection: next }));
            } else {
              // A new token in the same row, by a process that still encrypts with the old key.
              await database.db.transaction().execute(async (trx) => {
                const row = await trx
                  .selectFrom('connection')
                  .select('id')
                  .where('team_id', '=', teamId)
                  .where('replaced_at', 'is', null)
                  .forUpdate()
                  .executeTakeFirst();
                if (!row) return;
                const place = { teamId, connectionId: row.id };
                const sealed = createTokenCipher([oldKey]).seal(token, place);
                await trx
                  .updateTable('connection')
                  .set({ token_sealed: sealed, token_owner: token })
                  .where('id', '=', row.id)
                  .execute();
              });
            }
          }),
        );
        await reencrypt(sources, createCipher(rotated));
        for (const { teamId } of setups) {
          const opened = await storeWith(newKey).openConnection(teamId);
          const { token, tokenOwner } = opened && opened !== 'unreadable' ? opened : {};
          expect(token).toBeDefined();
          // `overwrite` leaves the token as the owner too, in the same statement.
          if (tokenOwner?.startsWith('token-')) expect(token).toBe(tokenOwner);
        }
      }),
      propertyRuns(60, 15),
    );
    const left = [];
    for await (const one of findOutdated(sealedTokens(database.db), createCipher([newKey]))) {
      left.push(one.value.id);
    }
    expect(left).toEqual([]);
  });
});
