import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type RawBuilder, sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { runAdmin } from '../../src/admin/run-admin.ts';
import type { OpenDatabase } from '../../src/database/open-database.ts';
import { ask, messagesOf } from '../support/ask.ts';
import { openAnyDatabase } from '../support/databases.ts';
import { changeSetup } from '../support/set-up.ts';
import { storeSettings } from '../support/store-settings.ts';
import { shareWorld, shortIntervals } from '../support/world.ts';

const canary = 'canary-7f3a';
const damaged = JSON.stringify([{ [canary]: canary }]);
const minute = 60_000;

let aheadMs = 0;
let opened: OpenDatabase;
const world = shareWorld({
  clock: () => new Date(Date.now() + aheadMs),
  callLimits: { command: 1000, click: 1000 },
  intervals: shortIntervals,
  async openDatabase() {
    opened = await openAnyDatabase();
    return opened;
  },
});

beforeEach(async () => {
  aheadMs = 0;
  const { db } = opened;
  for (const table of ['approval', 'setup_change', 'delivery_message', 'delivery_channel'] as const)
    await db.deleteFrom(table).execute();
});

async function damage({ messageTs }: Message, change: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    update run set ${change} from approval
    where approval.id = run.approval_id and message_ts = ${messageTs} returning run.id`.execute(
    opened.db,
  );
  return rows[0]?.id ?? '';
}

/** What the log says about rows that can't be read. */
function unreadable(): { table: string; id: string }[] {
  expect(world().logged.join()).not.toContain(`"${canary}"`);
  return world()
    .logged.map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "a row can't be read")
    .map(({ table, id }) => ({ table, id }));
}

const repliesTo = ({ messageTs }: Message) =>
  messagesOf(world().ana).filter((one) => one.text.startsWith('⏰') && one.threadTs === messageTs);

test('an unreadable request keeps no other from its reminder, its list and the Home tab', async () => {
  const { ana, ben, belay } = world();
  await storeSettings(opened.db, {
    access: { rules: { 'users.disable': { remindAfterMinutes: 30 } } },
  });
  const first = await ask(ana, '/belay disable joana.prado@example.com');
  const second = await ask(ana, '/belay disable kim.lee@example.com');
  const third = await ask(ana, '/belay disable sven.moreau@example.com');
  const ids = [
    await damage(first, sql`checks = ${damaged}::jsonb`),
    await damage(second, sql`payload = ${damaged}::jsonb`),
  ].toSorted();

  aheadMs = 31 * minute;
  await belay.sweep();
  await ana.see(() => repliesTo(third)[0], 'the reminder');
  const found = unreadable();
  expect(found.map(({ id }) => id).toSorted()).toEqual(ids);
  aheadMs = 80 * minute;
  await belay.sweep();
  expect(unreadable()).toHaveLength(2);

  // Slack signs requests in real time.
  aheadMs = 0;
  await ben.send('ops', '/belay requests');
  const list = await ben.seeMessage('1 open request');
  expect(list.text).toContain('Sven Moreau');
  expect(JSON.stringify(list.blocks)).toContain("Belay can't read 2 open requests.");
  await ben.openHome();
  await ben.seeHome('Sven Moreau');

  for (const doctor of [await askDoctor(), await adminDoctor()]) {
    expect(doctor).toContain("Belay can't read 2 requests and leaves them out");
    for (const id of ids) expect(doctor).toContain(id);
    expect(doctor).not.toContain(canary);
  }
});

test('a request of a newer version keeps no other from its reminder, and is left to that version', async () => {
  const { ana, ben, belay } = world();
  const { db } = opened;
  await storeSettings(db, {
    access: { rules: { 'users.disable': { remindAfterMinutes: 30 } } },
  });
  const newer = await ask(ana, '/belay disable joana.prado@example.com');
  const known = await ask(ana, '/belay disable kim.lee@example.com');
  const times = () =>
    db
      .selectFrom('approval')
      .select(['wake_at', 'remind_at', 'rendering_until'])
      .where('message_ts', '=', newer.messageTs)
      .executeTakeFirstOrThrow();
  await db
    .updateTable('approval')
    .set({ action: 'users.of_a_newer_version' })
    .where('message_ts', '=', newer.messageTs)
    .execute();
  const before = await times();
  aheadMs = 31 * minute;
  await belay.sweep();
  await ana.see(() => repliesTo(known)[0], 'the reminder');
  expect(await times()).toEqual(before);
  aheadMs = 0;
  await ben.send('ops', '/belay requests');
  const list = await ben.seeMessage('1 open request');
  expect(JSON.stringify(list.blocks)).toContain("Belay can't read 1 open request.");
});

test('an unreadable change of the setup keeps no other from its announcement', async () => {
  const { cleo, workspace } = world();
  const { db } = opened;
  const id = randomUUID();
  const long = new Date(Date.now() - 60 * minute);
  await db
    .insertInto('setup_change')
    .values({
      id,
      team_id: workspace.teamId,
      change: damaged,
      created_at: long,
      saved_at: long,
      announce_at: long,
    })
    .execute();
  // Resolves once the change is announced.
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben, people.ana] }));
  expect(unreadable()).toEqual([{ table: 'setup_change', id }]);
  expect(await askDoctor()).toContain("Belay can't read 1 change of the setup and leaves it out");
});

async function askDoctor(): Promise<string> {
  const { cleo } = world();
  await cleo.send('ops', '/belay doctor all');
  return (await cleo.seeMessage(/\d+ problem/)).text;
}

async function adminDoctor(): Promise<string> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = text(stdout);
  const openDatabase = async () => ({ ...opened, close: async () => undefined });
  await runAdmin(['doctor'], { env: world().env, stdout, stderr, openDatabase });
  stdout.end();
  return printed;
}
