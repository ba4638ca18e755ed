import { addSeconds } from 'date-fns/addSeconds';
import { expect, it, onTestFinished } from 'vitest';
import { startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { createLogger } from '../../../src/logger.ts';
import { createGroupDirectory } from '../../../src/workspace/access/group-directory.ts';
import { createGroupStore } from '../../../src/workspace/access/store/group-store.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';

const security = 'S0SECURITY';
const storage = 'S0STORAGE1';

/** Two replicas on one database, at a time that the test sets. */
async function startReplicas() {
  const workspace = createWorkspace();
  const slack = await startLocalSlack({ workspace });
  const { db, close } = await openAnyDatabase();
  onTestFinished(async () => {
    await slack.close();
    await close();
  });
  let now = new Date('2026-11-23T09:00:00Z');
  const clients = clientsWithToken(workspace.app.botToken, {
    slackApiUrl: slack.apiUrl,
    rejectRateLimitedCalls: true,
  });
  const client = await clients.clientFor(workspace.teamId);
  const openReplica = () => {
    const directory = createGroupDirectory({
      store: createGroupStore(db),
      clock: () => now,
      log: createLogger('silent'),
    });
    return async (...groups: string[]) =>
      [...(await directory.read(client, groups))].map(([id, members]) => [
        id,
        members && [...members],
      ]);
  };
  return {
    slack,
    teamId: workspace.teamId,
    store: createGroupStore(db),
    at: () => now,
    first: openReplica(),
    second: openReplica(),
    wait: (seconds: number) => {
      now = addSeconds(now, seconds);
    },
    countCalls: () => slack.calls.filter(({ method }) => method === 'usergroups.users.list').length,
  };
}

it('asks Slack once a minute, whichever replica needs the group', async () => {
  const { slack, first, second, wait, countCalls } = await startReplicas();
  expect(await first(security)).toEqual([[security, ['U0BEN00002']]]);
  slack.setGroup(security, { members: [] });
  wait(59);
  expect(await second(security)).toEqual([[security, ['U0BEN00002']]]);
  expect(countCalls()).toBe(1);
  wait(1);
  expect(await second(security)).toEqual([[security, []]]);
  expect(await first(security)).toEqual([[security, []]]);
  expect(countCalls()).toBe(2);
});

it('asks once for several readers at the same time', async () => {
  const { first, second, countCalls } = await startReplicas();
  const both = [security, storage];
  await Promise.all([first(...both), first(security), second(...both), second(storage)]);
  expect(countCalls()).toBe(2);
});

it("doesn't know a group whose members Slack didn't return, and asks again only after a while", async () => {
  const { slack, first, second, wait, countCalls } = await startReplicas();
  await first(security);
  wait(60);
  slack.failNext('usergroups.users.list', { retryAfterSeconds: 30 });
  expect(await first(security)).toEqual([[security, undefined]]);
  wait(29);
  expect(await second(security)).toEqual([[security, undefined]]);
  expect(countCalls()).toBe(2);
  wait(1);
  expect(await second(security)).toEqual([[security, ['U0BEN00002']]]);
});

it('takes over from a replica that died while asking', async () => {
  const { store, teamId, at, first, wait } = await startReplicas();
  const until = addSeconds(at(), 20);
  const dead = { holder: 'dead', at: at(), until, staleAt: at(), latest: until };
  await store.lease({ teamId, groupId: security }, dead);
  wait(20);
  expect(await first(security)).toEqual([[security, ['U0BEN00002']]]);
});

it('reads a group again whose members were read after what the clock says now', async () => {
  const { slack, first, second, wait, countCalls } = await startReplicas();
  expect(await first(security)).toEqual([[security, ['U0BEN00002']]]);
  slack.setGroup(security, { members: [] });
  // Another process whose clock differs a little.
  wait(-1);
  expect(await second(security)).toEqual([[security, ['U0BEN00002']]]);
  wait(-3600);
  expect(await second(security)).toEqual([[security, []]]);
  expect(await first(security)).toEqual([[security, []]]);
  expect(countCalls()).toBe(2);
});

it('waits neither for a dead replica nor for Slack as long as the clock was set back', async () => {
  const { slack, store, teamId, at, first, wait } = await startReplicas();
  const until = addSeconds(at(), 20);
  const dead = { holder: 'dead', at: at(), until, staleAt: at(), latest: until };
  await store.lease({ teamId, groupId: security }, dead);
  slack.failNext('usergroups.users.list', { retryAfterSeconds: 600 });
  expect(await first(storage)).toEqual([[storage, undefined]]);
  wait(-3600);
  expect(await first(security, storage)).toEqual([
    [security, ['U0BEN00002']],
    [storage, ['U0ANA00001', 'U0CLEO0003']],
  ]);
});

it.each([
  [
    'disabled',
    (slack: Awaited<ReturnType<typeof startLocalSlack>>) =>
      slack.setGroup(security, { isDisabled: true }),
  ],
  ['deleted', (slack: Awaited<ReturnType<typeof startLocalSlack>>) => slack.deleteGroup(security)],
])('has no members in a group that was %s', async (_, end) => {
  const { slack, first } = await startReplicas();
  end(slack);
  expect(await first(security)).toEqual([[security, []]]);
});
