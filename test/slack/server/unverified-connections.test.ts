import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { sign } from '../../../playground/slack/delivery.ts';
import { createLogger } from '../../../src/logger.ts';
import { createSlackHttp } from '../../../src/slack/server/http-server.ts';

const secret = 'the signing secret';
const roomy = { receiveMs: 10_000, maxConnections: 2000, maxBytes: 16 * 1024 * 1024 };

/** With the default limits if none are given. */
async function startServer(limits?: Partial<typeof roomy>) {
  const http = createSlackHttp(secret, {
    log: createLogger('silent'),
    clock: () => new Date(),
    ...(limits && { limits: { ...roomy, ...limits } }),
  });
  const port = await http.start(0, '127.0.0.1');
  onTestFinished(() => http.stop());
  const open = () => openConnection(port);

  /** A signed request that needs no listener. */
  async function expectAnswer(): Promise<void> {
    const body = JSON.stringify({ type: 'url_verification', challenge: String(Math.random()) });
    const timestamp = now();
    const response = await fetch(`http://127.0.0.1:${port}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': sign(secret, timestamp, body),
      },
      body,
    });
    expect(response.status).toBe(200);
  }
  return { open, expectAnswer };
}

const now = () => Math.floor(Date.now() / 1000);

/** A connection of a stranger: what it was answered, and when it was closed. */
async function openConnection(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const answer = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  socket.on('data', (data) => answer.resolve(String(data)));
  socket.on('error', () => undefined);
  socket.on('close', () => closed.resolve());
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    answer: answer.promise,
    closed: closed.promise,
    /** Begins a request with these headers and never ends its body. */
    begin(headers: Record<string, string>, body = '') {
      const all = { host: 'x', 'content-length': '900000', ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
      const head = ['POST /slack/events HTTP/1.1', ...lines];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    },
  };
}

const format = `v0=${'0'.repeat(64)}`;
const plausible = () => ({
  'x-slack-signature': format,
  'x-slack-request-timestamp': String(now()),
});

it.each([
  { why: 'without headers of Slack', headers: () => ({}) },
  { why: 'without a signature', headers: () => ({ ...plausible(), 'x-slack-signature': '' }) },
  {
    why: 'with a malformed signature',
    headers: () => ({ ...plausible(), 'x-slack-signature': 'v0=0' }),
  },
  {
    why: 'with a malformed timestamp',
    headers: () => ({ ...plausible(), 'x-slack-request-timestamp': '1e9' }),
  },
  {
    why: 'with an old timestamp',
    headers: () => ({ ...plausible(), 'x-slack-request-timestamp': String(now() - 302) }),
  },
])('refuses a request $why before its body arrives', async ({ headers }) => {
  const { open, expectAnswer } = await startServer({});
  const stranger = await open();
  stranger.begin(headers());
  expect(await stranger.answer).toMatch(/^HTTP\/1\.1 401 /);
  await stranger.closed;
  await expectAnswer();
});

it('refuses a body that is announced as too large before it arrives', async () => {
  const { open } = await startServer({});
  const stranger = await open();
  stranger.begin({ ...plausible(), 'content-length': '1048577' });
  expect(await stranger.answer).toMatch(/^HTTP\/1\.1 413 /);
});

it('closes connections that are slow with their headers or their body', async () => {
  const { open, expectAnswer } = await startServer({ receiveMs: 200 });
  const silent = await open();
  const slow = await open();
  slow.begin(plausible(), 'half');
  await Promise.all([silent.closed, slow.closed]);
  await expectAnswer();
});

it('closes the oldest of too many connections, and answers Slack', async () => {
  const { open, expectAnswer } = await startServer({ maxConnections: 5 });
  const strangers = [await open(), await open(), await open(), await open(), await open()];
  await expectAnswer();
  await strangers[0]?.closed;
  expect(strangers.slice(1).filter(({ socket }) => socket.closed)).toEqual([]);
});

it('answers a thousand requests of Slack that arrive in the same moment', async () => {
  const { open } = await startServer();
  const connections = await Promise.all(Array.from({ length: 1000 }, open));
  const answers = connections.map(({ begin, answer, closed }, index) => {
    const body = JSON.stringify({ type: 'url_verification', challenge: String(index) });
    const signed = { ...plausible(), 'x-slack-signature': sign(secret, now(), body) };
    const length = String(Buffer.byteLength(body));
    begin({ ...signed, 'content-type': 'application/json', 'content-length': length }, body);
    return Promise.race([answer, closed]);
  });
  const answered = (await Promise.all(answers)).filter((one) => one?.startsWith('HTTP/1.1 200 '));
  expect(answered).toHaveLength(1000);
});

it('keeps an idle connection on which Slack has sent a request', async () => {
  const { open } = await startServer({ maxConnections: 3 });
  const slack = await open();
  const sendSigned = (challenge: string) => {
    const body = JSON.stringify({ type: 'url_verification', challenge });
    const signed = { ...plausible(), 'x-slack-signature': sign(secret, now(), body) };
    const length = String(Buffer.byteLength(body));
    slack.begin({ ...signed, 'content-type': 'application/json', 'content-length': length }, body);
  };
  sendSigned('first');
  expect(await slack.answer).toMatch(/^HTTP\/1\.1 200 /);
  const [first] = [await open(), await open(), await open(), await open()];
  await first?.closed;
  const next = new Promise((resolve) => slack.socket.once('data', (data) => resolve(String(data))));
  sendSigned('second');
  expect(await Promise.race([next, slack.closed])).toMatch(/^HTTP\/1\.1 200 /);
});

it('closes the oldest body when all of them together are too large', async () => {
  const { open, expectAnswer } = await startServer({ maxBytes: 1000 });
  const idle = await open();
  const [first, second] = [await open(), await open()];
  first.begin(plausible(), 'a'.repeat(600));
  await expectAnswer();
  second.begin(plausible(), 'a'.repeat(600));
  await first.closed;
  await expectAnswer();
  expect([idle, second].filter(({ socket }) => socket.closed)).toEqual([]);
});
