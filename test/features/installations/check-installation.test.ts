import { randomBytes } from 'node:crypto';
import { addSeconds } from 'date-fns/addSeconds';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../src/database/tables.ts';
import type { PurgeProgress } from '../../../src/database/team-purge.ts';
import {
  createInstallationStore,
  createUninstallStore,
} from '../../../src/features/installations/index.ts';
import { createUninstaller } from '../../../src/features/installations/uninstall.ts';
import { createLogger } from '../../../src/logger.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { databases } from '../../support/databases.ts';

const noon = new Date('2026-11-23T12:00:00Z');
const teamId = 'T0TEAM1';
const cipher = createTokenCipher([randomBytes(32)]);
const append = async () => undefined;

describe.each(databases())('whether Belay is installed on $name', ({ open }) => {
  let db: Database;
  let purged: string[];
  let progress: PurgeProgress;

  beforeEach(async () => {
    const opened = await open();
    onTestFinished(opened.close);
    db = opened.db;
    purged = [];
    progress = 'done';
    const granted = { teamId, enterpriseId: undefined, appId: 'A1' };
    const tokens = { botToken: 'xoxb-1', refreshToken: undefined, expiresAt: undefined };
    const installations = createInstallationStore(db, { cipher, append });
    await installations.save({ ...granted, ...tokens, installedBy: 'U2' }, noon);
  });

  const openStore = () =>
    createUninstallStore(db, {
      cipher,
      handlers: {
        append,
        stop: [],
        purge: [
          async (_, team) => {
            purged.push(team.teamId);
            return progress;
          },
        ],
      },
    });

  const startUninstaller = (answer: () => Promise<string>) =>
    createUninstaller({
      store: openStore(),
      testToken: answer,
      clock: () => addSeconds(noon, 60),
      log: createLogger('silent'),
    });

  it('asks again at once about a revoked token that is reported while Slack is asked', async () => {
    const revoked = { appId: 'A1', teamId, at: addSeconds(noon, 60), isUninstall: false };
    const first = Promise.withResolvers<string>();
    let asked = 0;
    const uninstaller = startUninstaller(async () => {
      asked += 1;
      return asked === 1 ? first.promise : 'works';
    });
    await uninstaller.report(revoked);
    await expect.poll(() => asked).toBe(1);
    await uninstaller.report(revoked);
    await expect.poll(() => asked).toBe(2);
    first.resolve('works');
    await uninstaller.work.stop();
  });

  it('asks again about an uninstall that is reported while Slack is asked', async () => {
    const uninstall = { appId: 'A1', teamId, at: addSeconds(noon, 60), isUninstall: true };
    const answers = ['works', 'account_inactive'];
    const uninstaller = startUninstaller(async () => {
      // Slack answers for the moment before.
      if (answers.length === 2) await openStore().report(uninstall, addSeconds(noon, 60));
      return answers.shift() ?? 'account_inactive';
    });
    await uninstaller.report({ ...uninstall, isUninstall: false });
    await expect.poll(() => purged).toContain(teamId);
    expect(answers).toEqual([]);
  });

  it.each([
    ['token_revoked', []],
    ['account_inactive', [teamId]],
  ])('when Belay is installed again after an unreported %s, deletes %o', async (code, deleted) => {
    await startUninstaller(async () => code).purgeUninstalled(teamId);
    expect(purged).toEqual(deleted);
  });

  it('keeps an earlier installation, which prevents a new one, until what runs for it has ended', async () => {
    const uninstaller = startUninstaller(async () => 'account_inactive');
    const states = () => db.selectFrom('installation').select('state').execute();
    progress = 'waiting';
    await uninstaller.purgeUninstalled(teamId);
    expect(await states()).toEqual([{ state: 'uninstalling' }]);
    progress = 'done';
    await uninstaller.purgeUninstalled(teamId);
    expect(await states()).toEqual([]);
  });
});
