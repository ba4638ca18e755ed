import { expect, it, vi } from 'vitest';
import { createLogger } from '../../../src/logger.ts';
import {
  type BotToken,
  createSlackClients,
  NotInstalledError,
} from '../../../src/slack/api/slack-clients.ts';

/** Clients whose calls are recorded as `<team> <token>`. */
function openClients(tokens: Map<string, BotToken>) {
  const calls: string[] = [];
  const logged: string[] = [];
  const record: typeof fetch = async (_, init) => {
    const { authorization } = Object.fromEntries(new Headers(init?.headers));
    const team = new URLSearchParams(String(init?.body)).get('team_id');
    calls.push(`${team} ${authorization}`);
    return Response.json({ ok: true });
  };
  const clients = createSlackClients({
    readToken: async ({ teamId }) => tokens.get(teamId),
    options: { fetch: record },
    log: createLogger('info', { write: (line) => void logged.push(line) }),
  });
  return { clients, calls, logged };
}

it('gives each workspace a client with its own token and name', async () => {
  const { clients, calls } = openClients(
    new Map([
      ['T1', { token: 'xoxb-1', version: '1' }],
      ['T2', { token: 'xoxb-2', version: '1' }],
    ]),
  );
  for (const teamId of ['T1', 'T2', 'T1']) {
    const slack = await clients.clientFor(teamId);
    expect(slack.teamId).toBe(teamId);
    await slack.auth.test();
  }
  expect(calls).toEqual(['T1 Bearer xoxb-1', 'T2 Bearer xoxb-2', 'T1 Bearer xoxb-1']);
});

it('uses a changed token immediately, and the same client while the version stays', async () => {
  const tokens = new Map([['T1', { token: 'xoxb-old', version: '1' }]]);
  const { clients, calls } = openClients(tokens);
  const before = await clients.clientFor('T1');
  expect(await clients.clientFor('T1')).toBe(before);
  tokens.set('T1', { token: 'xoxb-new', version: '2' });
  await (await clients.clientFor('T1')).auth.test();
  expect(calls).toEqual(['T1 Bearer xoxb-new']);
});

it('has no client for a workspace without Belay, and logs that once', async () => {
  const tokens = new Map([['T1', { token: 'xoxb-1', version: '1' }]]);
  const { clients, logged } = openClients(tokens);
  await clients.clientFor('T1');
  tokens.clear();
  expect(await clients.find({ teamId: 'T1' })).toBeUndefined();
  await expect(clients.clientFor('T1')).rejects.toThrow(NotInstalledError);
  expect(logged).toHaveLength(1);
});

it('reads the token once for everyone who asks during a read, and after they asked', async () => {
  const reads: ((token: BotToken | undefined) => void)[] = [];
  const clients = createSlackClients({
    readToken: () => new Promise((resolve) => reads.push(resolve)),
    options: { fetch },
    log: createLogger('silent'),
  });
  const first = clients.find({ teamId: 'T1' });
  await vi.waitFor(() => expect(reads).toHaveLength(1));
  const later = [1, 2, 3].map(() => clients.find({ teamId: 'T1' }));
  const other = clients.find({ teamId: 'T2' });
  await vi.waitFor(() => expect(reads).toHaveLength(2));
  reads[1]?.({ token: 'xoxb-2', version: '1' });
  expect((await other)?.teamId).toBe('T2');
  reads[0]?.({ token: 'xoxb-1', version: '1' });
  expect((await first)?.teamId).toBe('T1');
  await vi.waitFor(() => expect(reads).toHaveLength(3));
  reads[2]?.(undefined);
  expect(await Promise.all(later)).toEqual([undefined, undefined, undefined]);
});

it('reads again after a read that failed', async () => {
  let reads = 0;
  const clients = createSlackClients({
    async readToken() {
      reads += 1;
      if (reads === 1) throw new Error('the database is away');
      return { token: 'xoxb-1', version: '1' };
    },
    options: { fetch },
    log: createLogger('silent'),
  });
  await expect(clients.find({ teamId: 'T1' })).rejects.toThrow('the database is away');
  expect((await clients.find({ teamId: 'T1' }))?.teamId).toBe('T1');
});
