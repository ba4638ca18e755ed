import { addDays } from 'date-fns/addDays';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAppendEntry } from '../../src/audit-log/append.ts';
import { serveOnly } from '../../src/database/served-teams.ts';
import type { Database } from '../../src/database/tables.ts';
import { openStores } from '../../src/open-stores.ts';
import { noon } from '../requests/store/rows.ts';
import { databases } from '../support/databases.ts';
import { countRows, fillTeam } from '../support/fill-team.ts';
import { storeSettings } from '../support/store-settings.ts';

const keys = [Buffer.alloc(32, 7)];

/** The stores of a process that serves `T_SERVED` only. */
function openServing(db: Database) {
  const isServed = serveOnly('T_SERVED');
  return openStores(db, { encryptionKeys: keys, isServed });
}

/** Everything that is pruned once it ended has ended. */
async function endAll(db: Database): Promise<void> {
  await sql`update approval set state = 'completed', wake_at = null`.execute(db);
  await sql`update run set state = 'completed', wake_at = null`.execute(db);
  await sql`update delivery_message set state = 'sent'`.execute(db);
  await sql`update delivery_summary set state = 'closed'`.execute(db);
  await sql`update watched_alert set is_cleared = true`.execute(db);
}

async function countAlerts(db: Database, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('watched_alert')
    .innerJoin('watch', 'watch.id', 'watched_alert.watch_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('watch.team_id', '=', teamId)
    .executeTakeFirstOrThrow();
  return count;
}

describe.each(databases())('a process on $name', ({ open }) => {
  it('deletes and changes nothing of workspaces that it does not serve', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    const append = createAppendEntry(keys);
    for (const teamId of ['T_OTHER', 'T_SERVED']) await fillTeam(db, teamId, append);
    await endAll(db);
    const before = {
      ...(await countRows(db, 'T_OTHER')),
      alerts: await countAlerts(db, 'T_OTHER'),
    };

    const stores = openServing(db);
    const at = addDays(noon, 1000);
    await stores.homeStore.applyChanges();
    await stores.homeStore.prune(at);
    await stores.approvalStore.prune(at);
    await stores.outboxStore.prune({ before: at, groupedBefore: at });
    await stores.tokenPages.prune(at);
    await stores.pruneGroups(at);
    await stores.pruneRefusals(at);
    await stores.policyDrafts.prune(at);
    await stores.clearings.prune(at);
    // Before the watch, with which its alerts would be deleted.
    await stores.watchStore.prune({ cleared: at, all: noon });
    expect(await countAlerts(db, 'T_SERVED')).toBe(0);
    await stores.watchStore.prune({ cleared: at, all: at });
    await stores.workspaceStore.pruneChanges(at);

    expect({
      ...(await countRows(db, 'T_OTHER')),
      alerts: await countAlerts(db, 'T_OTHER'),
    }).toEqual(before);
    const left = await countRows(db, 'T_SERVED');
    const pruned = Object.keys(left).filter((table) => left[table] === 0);
    expect(pruned).toEqual([
      ...[
        'alert_clearing',
        'alert_clearing_item',
        'alert_state',
        'approval',
        'audit_refusal',
        'delivery_message',
        'delivery_summary',
        'home_change',
        'home_tab',
      ],
      ...[
        'policy_draft',
        'request_copy',
        'run',
        'setup_change',
        'token_page',
        'user_group',
        'watch',
      ],
    ]);
    const versions = await db.selectFrom('home_team').select(['team_id', 'version']).execute();
    expect(versions).toContainEqual({ team_id: 'T_OTHER', version: 0 });
    expect(versions).toContainEqual({ team_id: 'T_SERVED', version: 1 });
  });

  it('reports missing checkpoints to no workspace that it does not serve', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    const append = createAppendEntry(keys);
    for (const teamId of ['T_OTHER', 'T_SERVED']) await fillTeam(db, teamId, append);
    await sql`update connection set is_default = true`.execute(db);
    await storeSettings(db, { approvalsChannel: 'C1' });
    await db.deleteFrom('delivery_message').execute();
    await db.insertInto('checkpoint_status').values({ written_at: noon }).execute();
    const { checkpointStore } = openServing(db);
    const write = () => Promise.reject(new Error('no space'));
    const keeping = checkpointStore.keep(write, () => addDays(noon, 1));
    await expect(keeping).rejects.toThrow('no space');
    const queued = await db.selectFrom('delivery_message').select('team_id').execute();
    expect(queued).toEqual([{ team_id: 'T_SERVED' }]);
  });
});
