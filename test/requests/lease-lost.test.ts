import { type KyselyPlugin, type QueryId, UpdateQueryNode } from 'kysely';
import { afterEach, expect, inject, test } from 'vitest';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, heardBack, seeAgain } from '../support/ask.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { shareWorld } from '../support/world.ts';

const stallMs = 90_000;
let ahead = 0;
let stallAtRenewal = false;
const timings = { leaseMs: 30_000, settleMs: 0, checkMs: 10 };
const world = shareWorld({
  clock: () => new Date(Date.now() + ahead),
  timings,
  async openDatabase() {
    const database = await openFromTemplate(inject('databaseTemplate'));
    return { ...database, db: database.db.withPlugin(stallAfterRenewal()) };
  },
});
afterEach(() => {
  ahead = 0;
  stallAtRenewal = false;
});

/** As if the process were stopped between the statement that renews a lease and its next one. */
function stallAfterRenewal(): KyselyPlugin {
  const renewals = new WeakSet<QueryId>();
  return {
    transformQuery({ queryId, node }) {
      const text = JSON.stringify(node);
      const isRenewal = UpdateQueryNode.is(node) && /"wake_at".*lease_holder/.test(text);
      if (isRenewal && !/"finished_at"|"begun_at"/.test(text)) renewals.add(queryId);
      return node;
    },
    async transformResult({ queryId, result }) {
      if (stallAtRenewal && renewals.has(queryId)) {
        stallAtRenewal = false;
        ahead += stallMs;
      }
      return result;
    },
  };
}

const command = '/belay disable joana.prado@example.com';

function patches() {
  return world().service.requests.filter(({ method }) => method === 'PATCH');
}

function isLost(): boolean {
  return world().logged.some((line) => line.includes('a step stopped because its lease ended'));
}

/** Lets another process, which is this one's sweep, take over until the request has ended. */
async function takeOver(request: Message): Promise<void> {
  const { ana, belay } = world();
  for (let sweeps = 0; sweeps < 3; sweeps += 1) {
    ahead += 1000;
    await belay.sweep();
  }
  await seeAgain(ana, request, /is disabled\./);
  await heardBack(ana);
}

test('a process that stalls after its renewal does not send the change', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, command);
  stallAtRenewal = true;
  await ben.press(request, 'Approve');
  await expect.poll(() => isLost() || patches().length > 0).toBe(true);
  expect(patches()).toEqual([]);
  await takeOver(request);
  expect(patches()).toHaveLength(1);
});

test('a process that stalls while it waits to retry does not send the change again', async () => {
  const { ana, ben, service } = world();
  const request = await ask(ana, command);
  service.setFault(
    { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
    { method: 'PATCH', times: 1 },
  );
  await ben.press(request, 'Approve');
  await expect.poll(() => patches().length).toBe(1);
  ahead += stallMs;
  await takeOver(request);
  await expect.poll(() => isLost() || patches().length > 2).toBe(true);
  expect(patches()).toHaveLength(2);
});
