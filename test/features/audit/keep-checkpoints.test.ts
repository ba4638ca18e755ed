import { randomBytes } from 'node:crypto';
import { mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createCheckpointWriter } from '../../../src/audit-log/checkpoint-file.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import { createCheckpointStore } from '../../../src/features/audit/store/checkpoint-store.ts';
import { createLogger } from '../../../src/logger.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import { writeSomeLog } from '../../audit-log/logged-team.ts';
import {
  type DeliveryStage,
  ops,
  random,
  startDeliveryStage,
} from '../../postings/outbox/stage.ts';
import { insertConnection, newTeamId } from '../../requests/store/rows.ts';
import { databases } from '../../support/databases.ts';
import { readCheckpoints } from '../../support/read-checkpoints.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const keys = [randomBytes(32)];
const log = createLogger('silent');
const minute = 60_000;

describe.each(databases())('checkpoints on $name', ({ open }) => {
  let database: OpenDatabase;
  let stage: DeliveryStage;
  beforeEach(async () => {
    database ??= await open();
    await database.db.deleteFrom('checkpoint_status').execute();
    await database.db.deleteFrom('workspace_settings').execute();
    stage = await startDeliveryStage(database.db);
    await addWorkspace(stage.teamId, ops);
  });
  afterAll(() => database.close());

  async function addWorkspace(teamId: string, channelId: string | null): Promise<void> {
    await insertConnection(database.db, teamId);
    const stored = JSON.stringify(channelId === null ? {} : { approvalsChannel: channelId });
    const settings = { team_id: teamId, settings: stored };
    await database.db.insertInto('workspace_settings').values(settings).execute();
  }

  /** A process with its own file, which a folder in its place makes unwritable. */
  function startProcess() {
    const path = join(temporaryFolder(), 'checkpoints.jsonl');
    const { clock } = stage;
    const write = createCheckpointWriter({
      db: database.db,
      path,
      encryptionKeys: keys,
      clock,
      log,
    });
    const store = createCheckpointStore(database.db, { enqueueMessages, isServed: serveAll });
    const keep = () => store.keep(write, clock);
    return {
      path,
      keep,
      block() {
        rmSync(path, { force: true });
        mkdirSync(path);
      },
      unblock: () => rmdirSync(path),
      fail: () => expect(keep()).rejects.toThrow('BELAY_CHECKPOINT_FILE'),
    };
  }

  it('notifies every approvals channel once after 15 minutes, and once when it works again', async () => {
    await addWorkspace(newTeamId(), random);
    await addWorkspace(newTeamId(), null);
    const { path, keep, fail, block, unblock } = startProcess();
    await keep();
    block();
    const teamId = await writeSomeLog(database.db, keys, 1);
    stage.wait(14 * minute);
    await fail();
    await stage.run(3);
    expect(stage.texts()).toEqual([]);

    stage.wait(minute);
    await Promise.all([fail(), fail()]);
    stage.wait(20 * minute);
    await fail();
    await stage.run(3);
    for (const channel of [ops, random]) {
      expect(stage.texts(channel)).toEqual([
        expect.stringMatching(
          /^:warning: \*Belay can't write checkpoints of the audit log\.\* .*12:00/,
        ),
      ]);
    }

    unblock();
    await keep();
    await keep();
    await stage.run(3);
    expect(stage.texts()).toEqual([
      expect.any(String),
      expect.stringMatching(/Belay can write checkpoints of the audit log again\./),
    ]);
    const { checkpoints } = await readCheckpoints(path, keys);
    expect(checkpoints.map((one) => one.teamId)).toContain(teamId);

    // A second outage is another one.
    block();
    stage.wait(16 * minute);
    await fail();
    await stage.run(3);
    expect(stage.texts()).toHaveLength(3);
  });

  it('notifies them after 15 minutes although the clock was set back before', async () => {
    const { keep, fail, block } = startProcess();
    await keep();
    stage.wait(-60 * minute);
    await keep();
    block();
    await writeSomeLog(database.db, keys, 1);
    stage.wait(16 * minute);
    await fail();
    await stage.run(3);
    expect(stage.texts()).toEqual([expect.stringMatching(/can't write checkpoints/)]);
  });

  it('notifies nobody while another process writes them', async () => {
    const [failing, working] = [startProcess(), startProcess()];
    failing.block();
    for (let passed = 0; passed < 30; passed += 1) {
      await working.keep();
      // The clocks of two machines differ.
      stage.wait(-minute / 12);
      await failing.fail();
      stage.wait(minute + minute / 12);
    }
    await stage.run(3);
    expect(stage.texts()).toEqual([]);
  });
});
