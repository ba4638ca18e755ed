import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import {
  createUninstaller,
  createUninstallStore,
} from '../../../src/features/installations/index.ts';
import { createLogger } from '../../../src/logger.ts';
import { createTokenCipher } from '../../../src/workspace/store/token-cipher.ts';
import { noon, onePm } from '../../requests/store/rows.ts';
import { openAnyDatabase } from '../../support/databases.ts';

it('workspaces whose data cannot be deleted keep no other from being deleted', async () => {
  const { db, close } = await openAnyDatabase();
  onTestFinished(close);
  // As many as a process works on at once, and due before the other one.
  const failing = ['T1', 'T2', 'T3', 'T4'];
  for (const team_id of [...failing, 'T9']) {
    await db
      .insertInto('installation')
      .values({
        id: randomUUID(),
        team_id,
        app_id: 'A1',
        state: 'uninstalling',
        installed_by: 'U1',
        installed_at: noon,
        uninstalled_at: noon,
        check_at: team_id === 'T9' ? onePm : noon,
      })
      .execute();
  }
  const logged: string[] = [];
  const uninstaller = createUninstaller({
    store: createUninstallStore(db, {
      cipher: createTokenCipher([Buffer.alloc(32)]),
      handlers: {
        stop: [],
        purge: [
          async (_, { teamId }) => {
            if (failing.includes(teamId)) throw new Error('a row is locked');
            return 'done';
          },
        ],
        append: async () => undefined,
      },
    }),
    testToken: async () => 'works',
    clock: () => onePm,
    log: createLogger('error', { write: (line) => void logged.push(line) }),
  });
  await uninstaller.work.finish();
  const left = await db.selectFrom('installation').select('team_id').orderBy('team_id').execute();
  expect(left.map(({ team_id }) => team_id)).toEqual(failing);
  expect(logged.map((line) => JSON.parse(line).teamId).toSorted()).toEqual(failing);
});
