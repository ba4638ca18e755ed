import { createServer } from 'node:http';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../../playground/listen.ts';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { createLogger } from '../../../src/logger.ts';
import { createSlackSocket, type SlackSocket } from '../../../src/slack/server/socket.ts';
import { patienceMs } from '../../support/patience.ts';

const timings = {
  callMs: 5000,
  connectMs: 5000,
  closeMs: 500,
  firstWaitMs: 1,
  maxWaitMs: 8,
  stableMs: 0,
};
const open = 'apps.connections.open';

let slack: LocalSlack;
let socket: SlackSocket;
let logged: string[];

beforeEach(async () => {
  const workspace = createWorkspace();
  slack = await startLocalSlack({ workspace });
  onTestFinished(() => slack.close());
  logged = [];
  const log = createLogger('info', { write: (line) => void logged.push(line) });
  const { appToken } = workspace.app;
  socket = createSlackSocket({ appToken, apiUrl: slack.apiUrl }, { log, timings });
  onTestFinished(() => socket.stop());
  await socket.start();
});

const attempts = () => slack.calls.filter(({ method }) => method === open);
const isConnectedAgain = () =>
  vi.waitFor(() => expect(socket.isReceiving()).toBe(true), patienceMs);

it('reconnects immediately when a connection that was stable is lost', async () => {
  expect(socket.isReceiving()).toBe(true);
  slack.dropSockets();
  await vi.waitFor(() => expect(attempts()).toHaveLength(2), patienceMs);
  await isConnectedAgain();
});

it('waits no longer than its limit, however many attempts have failed', async () => {
  for (let failure = 0; failure < 100; failure += 1) slack.failNext(open, { status: 500 });
  const since = performance.now();
  slack.dropSockets();
  await vi.waitFor(() => expect(attempts()).toHaveLength(102), patienceMs);
  await isConnectedAgain();
  // Without a limit, the last wait alone would be longer than the universe is old.
  expect(performance.now() - since).toBeLessThan(patienceMs);
});

it('waits as long as Slack asks', async () => {
  slack.failNext(open, { retryAfterSeconds: 1 });
  slack.dropSockets();
  await vi.waitFor(() => expect(attempts()).toHaveLength(3), patienceMs);
  const [, refused, next] = attempts().map(({ at }) => at.getTime());
  expect((next ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(990);
});

it('reports a refused token in one line without a stack, and continues to try', async () => {
  for (let failure = 0; failure < 5; failure += 1) slack.failNext(open, 'token_revoked');
  slack.dropSockets();
  await vi.waitFor(() => expect(attempts()).toHaveLength(7), patienceMs);
  await isConnectedAgain();
  const lines = logged.filter((line) => line.includes('Slack refused SLACK_APP_TOKEN'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('token_revoked');
  expect(lines[0]).not.toContain('stack');
  expect(logged.at(-1)).toContain('works again');
});

it('stops while it reconnects, and does not connect any more', async () => {
  for (let failure = 0; failure < 100; failure += 1) slack.failNext(open, { status: 500 });
  slack.dropSockets();
  await vi.waitFor(() => expect(attempts().length).toBeGreaterThan(3), patienceMs);
  await socket.stop();
  expect(socket.isReceiving()).toBe(false);
});

it('gives up a socket on which Slack never says hello', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: `${baseUrl.replace('http', 'ws')}/` }));
  });
  server.on('upgrade', (_request, connection) => onTestFinished(() => void connection.destroy()));
  const { baseUrl, close } = await listen(server, 0);
  onTestFinished(close);
  const settings = { appToken: 'xapp-1', apiUrl: `${baseUrl}/api/` };
  const log = createLogger('silent');
  const silent = createSlackSocket(settings, { log, timings: { ...timings, connectMs: 300 } });
  await expect(silent.start()).rejects.toThrow('Slack did not answer for 300 ms');
  await silent.stop();
});
