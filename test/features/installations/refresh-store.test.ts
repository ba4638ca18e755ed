import { randomBytes } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { addSeconds } from 'date-fns/addSeconds';
import { subHours } from 'date-fns/subHours';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/database/tables.ts';
import { createInstallationStore } from '../../../src/features/installations/store/installation-store.ts';
import { createRefreshStore } from '../../../src/features/installations/store/refresh-store.ts';
import { createTokenRotation } from '../../../src/features/installations/token-rotation.ts';
import { createLogger } from '../../../src/logger.ts';
import type { RefreshAnswer } from '../../../src/slack/api/refresh-token.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { databases } from '../../support/databases.ts';

const noon = new Date('2026-11-23T12:00:00Z');
const cipher = createTokenCipher([randomBytes(32)]);
const pair = { botToken: 'new-bot', refreshToken: 'new-refresh', expiresInSeconds: 43_200 };
const refused: RefreshAnswer = { result: 'refused', code: 'invalid_refresh_token' };
const silent: RefreshAnswer = {
  result: 'failed',
  isOutcomeUnknown: true,
  retryAfterMs: undefined,
  error: new Error('no answer'),
};

function openStores(db: Database) {
  const installations = createInstallationStore(db, {
    cipher,
    append: async () => undefined,
  });
  return { installations, refreshes: createRefreshStore(db, cipher) };
}

async function install(db: Database, number: number, { expiresAt = noon } = {}): Promise<string> {
  const teamId = `T0TEAM${number}`;
  await openStores(db).installations.save(
    {
      teamId,
      enterpriseId: undefined,
      appId: 'A1',
      botToken: `bot-${number}`,
      refreshToken: `refresh-${number}`,
      expiresAt,
      installedBy: 'U2',
    },
    subHours(expiresAt, 12),
  );
  return teamId;
}

/** A process of Belay whose exchanges end as the test says. */
function startProcess(db: Database, exchange: (token: string) => Promise<RefreshAnswer>) {
  let now = noon;
  const logged: string[] = [];
  const outcomes: string[] = [];
  const { installations, refreshes: store } = openStores(db);
  const rotation = createTokenRotation({
    installations,
    store,
    exchange,
    openSlack() {
      throw new Error('no installer is notified here');
    },
    installUrl: 'https://belay.example/slack/install',
    clock: () => now,
    log: createLogger('info', { write: (line) => void logged.push(line) }),
    onRefreshed: ({ outcome, isRetry }) => void outcomes.push(isRetry ? `${outcome}!` : outcome),
  });
  return {
    ...rotation,
    logged,
    outcomes,
    wait: (seconds: number) => (now = addSeconds(now, seconds)),
  };
}

const readRows = (db: Database) =>
  db.selectFrom('installation').selectAll().orderBy('team_id').execute();

describe.each(databases())('refreshing on $name', ({ open }) => {
  async function openDatabase(): Promise<Database> {
    const { db, close } = await open();
    onTestFinished(close);
    return db;
  }

  it('exchanges each refresh token once, in whichever process', async () => {
    const db = await openDatabase();
    for (let number = 1; number <= 12; number += 1) await install(db, number);
    await install(db, 99, { expiresAt: addHours(noon, 4) });
    const spent: string[] = [];
    const exchange = async (token: string): Promise<RefreshAnswer> => {
      spent.push(token);
      return { result: 'granted', pair };
    };
    const processes = [1, 2, 3, 4].map(() => startProcess(db, exchange));
    await Promise.all(
      processes.flatMap((one): Promise<unknown>[] => [
        one.refreshTokens.finish(),
        one.readToken({ teamId: 'T0TEAM1' }),
      ]),
    );
    expect(spent.toSorted()).toEqual(
      Array.from({ length: 12 }, (_, index) => `refresh-${index + 1}`).toSorted(),
    );
    const rows = await readRows(db);
    expect(rows.map(({ version }) => version)).toEqual([...Array(12).fill(2), 1]);
    const { installations } = openStores(db);
    expect(await installations.readToken({ teamId: 'T0TEAM7' })).toMatchObject({
      token: 'new-bot',
    });
  });

  it('retries what a killed process began, once its lease has ended, and counts that', async () => {
    const db = await openDatabase();
    await install(db, 1);
    const killed = startProcess(db, () => new Promise(() => undefined));
    void killed.refreshTokens.finish();
    await expect.poll(async () => (await readRows(db))[0]?.refresh_attempts).toBe(1);
    const next = startProcess(db, async () => refused);
    await next.refreshTokens.finish();
    expect(next.outcomes).toEqual([]);
    next.wait(20);
    await next.refreshTokens.finish();
    await next.refreshTokens.finish();
    expect(next.outcomes).toEqual(['lost!']);
    expect(await readRows(db)).toMatchObject([{ state: 'reinstall_needed', refresh_attempts: 2 }]);
    expect(next.logged.join('')).toContain('an earlier attempt had no answer');
  });

  it('keeps a pair that arrives late, also after another process was refused', async () => {
    const db = await openDatabase();
    const teamId = await install(db, 1);
    const late = Promise.withResolvers<RefreshAnswer>();
    const frozen = startProcess(db, () => late.promise);
    const running = frozen.refreshTokens.finish();
    await expect.poll(async () => (await readRows(db))[0]?.refresh_attempts).toBe(1);
    const next = startProcess(db, async () => refused);
    next.wait(20);
    await next.refreshTokens.finish();
    expect(await readRows(db)).toMatchObject([{ state: 'reinstall_needed' }]);
    late.resolve({ result: 'granted', pair });
    await running;
    expect(await readRows(db)).toMatchObject([
      { state: 'active', refused_code: null, refresh_attempts: 0 },
    ]);
    const { installations } = openStores(db);
    expect(await installations.readToken({ teamId })).toMatchObject({ token: 'new-bot' });
  });

  it('drops a pair that arrives after Belay was installed again', async () => {
    const db = await openDatabase();
    const teamId = await install(db, 1);
    const late = Promise.withResolvers<RefreshAnswer>();
    const running = startProcess(db, () => late.promise).refreshTokens.finish();
    await expect.poll(async () => (await readRows(db))[0]?.refresh_attempts).toBe(1);
    await install(db, 1, { expiresAt: addHours(noon, 12) });
    late.resolve({ result: 'granted', pair });
    await running;
    const { installations } = openStores(db);
    expect(await installations.readToken({ teamId })).toMatchObject({ token: 'bot-1' });
  });

  it('never ends an installation without an answer, and retries less and less often', async () => {
    const db = await openDatabase();
    await install(db, 1);
    const outage = startProcess(db, async () => silent);
    const triedAt: number[] = [];
    for (let second = 0; second < 1400; second += 10) {
      const before = outage.outcomes.length;
      await outage.refreshTokens.finish();
      if (outage.outcomes.length > before) triedAt.push(second);
      outage.wait(10);
    }
    expect(triedAt).toEqual([0, 10, 30, 80, 220, 630]);
    expect(await readRows(db)).toMatchObject([{ state: 'active' }]);
  });

  it('refreshes the others at once when a lost key makes several tokens unreadable', async () => {
    const db = await openDatabase();
    for (let number = 1; number <= 12; number += 1) await install(db, number);
    const lost = db.updateTable('installation').set({ refresh_token_sealed: 'sealed elsewhere' });
    await lost.execute();
    await install(db, 13, { expiresAt: addHours(noon, 1) });
    const one = startProcess(db, async () => ({ result: 'granted', pair }));
    await one.refreshTokens.finish();
    expect(one.outcomes).toEqual(['refreshed']);
  });

  it('stops after a few workspaces during an outage', async () => {
    const db = await openDatabase();
    for (let number = 1; number <= 12; number += 1) await install(db, number);
    const outage = startProcess(db, async () => silent);
    await outage.refreshTokens.finish();
    expect(outage.outcomes.length).toBeLessThanOrEqual(6);
  });
});
