import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { startBelay } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/open-database.ts';
import { createLogger } from '../../src/logger.ts';
import type { ApprovalState } from '../../src/requests/approval-state.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { startWorld, type World } from '../support/world.ts';
import { approveStored } from './approved-by.ts';

const threeMinutesMs = 3 * 60 * 1000;
const timings = { leaseMs: 30_000, settleMs: 300, checkMs: 100 };

async function startDurableWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'belay-stranded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return startWorld({ databaseUrl: `pglite:${folder}/data` });
}

/** Stops Belay, sets the requests to states that a dead process leaves, and starts Belay again. */
async function restartWith(
  { belay, env, slack, ben }: World,
  left: { request: Message; state: ApprovalState }[],
): Promise<void> {
  await belay.stop();
  const { db, close } = await openDatabase(env.DATABASE_URL ?? '');
  const decidedAt = new Date(Date.now() - threeMinutesMs);
  for (const { request, state } of left) {
    await approveStored(db, request, [ben.slackUserId], decidedAt);
    await db
      .updateTable('approval')
      .set({ state })
      .where('message_ts', '=', request.messageTs)
      .execute();
    await db
      .updateTable('run')
      .from('approval')
      .set({ state, begun_at: decidedAt })
      .whereRef('approval.id', '=', 'run.approval_id')
      .where('message_ts', '=', request.messageTs)
      .execute();
  }
  await close();

  const again = await startBelay(readConfig(env), { log: createLogger('silent'), timings });
  onTestFinished(async () => void (await again.stop()));
  slack.connectApp(`http://127.0.0.1:${again.port}/slack/events`);
  await again.sweep();
}

test('requests continue after a restart', async () => {
  const world = await startDurableWorld();
  const { ana, ben, cleo, service, portal } = world;
  const isEnabled = (email: string) =>
    service.users(portal.id).find((user) => user.email === email)?.is_enabled;
  const approved = await ask(ana, '/belay disable ana.silva@example.com');
  const running = await ask(cleo, '/belay disable joana.prado@example.com');
  const pending = await ask(ana, '/belay enable mariana.costa@example.com');
  await restartWith(world, [
    { request: approved, state: 'approved' },
    { request: running, state: 'running' },
  ]);

  // Approved, but not started: runs now.
  const done = await seeAgain(ana, approved, /is disabled\. Approved by <@U0BEN00002>/);
  expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);
  expect((await heardBack(ana)).text).toContain('is disabled.');
  expect(isEnabled('ana.silva@example.com')).toBe(false);

  // Started, but the check shows that nothing was changed: runs again.
  const late = await seeAgain(ana, running, /is disabled\. Approved by <@U0BEN00002>/);
  expect(buttonTexts(late)).toEqual(['Re-enable', 'View user']);
  await cleo.see(
    () => messagesOf(cleo).find(({ text }) => /is disabled\. .*Your request to /.test(text)),
    'how it ended',
  );
  expect(isEnabled('joana.prado@example.com')).toBe(false);

  // Still pending: can be decided.
  await ben.press(await seeAgain(ben, pending, 'Waiting for approval.'), 'Approve');
  await heardBack(ana, 2);
  expect(isEnabled('mariana.costa@example.com')).toBe(true);
  expect(service.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(3);
});
