import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { exportDatabase } from '../../src/database/transfer/export-database.ts';
import { importDatabase } from '../../src/database/transfer/import-database.ts';
import { oldDatabases } from '../database/old-database.ts';
import { postgresUrl } from '../support/databases.ts';
import { openEmpty } from '../support/empty-database.ts';
import { patienceMs } from '../support/patience.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { left } from './old-version.ts';
import { startUpgradedBot } from './upgraded-bot.ts';

it.each(oldDatabases('007_failed_edits'))(
  'a bot continues where the one on $name stopped after a move, without its waiting jobs',
  async ({ name, open }) => {
    vi.useFakeTimers({ toFake: ['Date'], now: left.madeAt, shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const folder = temporaryFolder();
    const move = async (from: OpenDatabase) => {
      const path = join(folder, 'belay.jsonl');
      await exportDatabase(from.db, { path, at: left.madeAt });
      await from.close();
      const to = await openEmpty(name === 'PGlite' && postgresUrl ? 'PostgreSQL' : 'PGlite');
      await importDatabase(to.db, path);
      return to;
    };
    const bot = await startUpgradedBot(await open(), folder, move);
    onTestFinished(bot.stop);

    await vi.waitFor(
      async () => {
        await bot.sweep();
        const { rows } = await sql`
          select state from approval where payload ->> 'email' = ${left.users.approved}
            order by requested_at desc limit 1`.execute(bot.db);
        expect(rows).toEqual([{ state: 'succeeded' }]);
      },
      { timeout: patienceMs, interval: 50 },
    );
    const user = bot.service.users(left.region).find(({ email }) => email === left.users.approved);
    expect(user?.is_enabled).toBe(false);
    // The first start stores the key that signed the log of the old version, encrypted.
    const stored = () => bot.db.selectFrom('audit_key').select('sealed').execute();
    const expected = [{ sealed: expect.stringMatching(/^v1\./) }];
    await vi.waitFor(async () => expect(await stored()).toEqual(expected), patienceMs);
  },
);
