import { connect } from 'node:net';
import { App } from '@slack/bolt';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sign } from '../../../playground/slack/delivery.ts';
import { createLogger } from '../../../src/logger.ts';
import { createSlackHttp, type SlackHttp } from '../../../src/slack/server/http-server.ts';

const secret = 'the signing secret';
const maxBody = 1024 * 1024;
const commandBody = 'command=%2Fbelay&text=help&team_id=T1&user_id=U1';

let http: SlackHttp;
let url: string;
let port: number;
/** The text of every command that reached a listener. */
let reached: string[];
/** The callback ids of forms that reached a listener. */
let submitted: string[];
let logged: string[];
/** How far Belay's clock is ahead of the real time. */
let aheadMs: number;

beforeEach(async () => {
  reached = [];
  submitted = [];
  logged = [];
  aheadMs = 0;
  const log = createLogger('trace', { write: (line) => void logged.push(line) });
  http = createSlackHttp(secret, { log, clock: () => new Date(Date.now() + aheadMs) });
  const app = new App({
    receiver: http.receiver,
    deferInitialization: true,
    authorize: async () => ({ botToken: 'xoxb-1', botId: 'B1', botUserId: 'U1', teamId: 'T1' }),
  });
  await app.init();
  app.command('/belay', async ({ ack, command }) => {
    reached.push(command.text);
    await ack('It is done.');
  });
  app.view('c', async ({ ack, view }) => {
    submitted.push(view.callback_id);
    await ack();
  });
  port = await http.start(0, '127.0.0.1');
  url = `http://127.0.0.1:${port}/slack/events`;
  onTestFinished(() => http.stop());
});

type Changes = {
  body?: string;
  timestamp?: string;
  signature?: string;
  contentType?: string;
  leaveOut?: string;
};

function post(changes: Changes = {}) {
  const body = changes.body ?? commandBody;
  const timestamp = changes.timestamp ?? String(Math.floor(Date.now() / 1000));
  const headers = new Headers({
    'content-type': changes.contentType ?? 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': changes.signature ?? sign(secret, Number(timestamp), body),
  });
  if (changes.leaveOut) headers.delete(changes.leaveOut);
  return fetch(url, { method: 'POST', headers, body });
}

/** Headers that only the body can prove wrong. */
function plausibleHead(length: number | 'chunked'): string {
  const body = length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`;
  const lines = [
    ...['POST /slack/events HTTP/1.1', 'host: x', body],
    ...[`x-slack-request-timestamp: ${ago(0)}`, `x-slack-signature: v0=${'0'.repeat(64)}`],
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const ago = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);

/** Expects this status, no call of a listener, and an answer to the next valid request. */
async function expectRefused(response: Response, status: number): Promise<void> {
  const text = await response.text();
  expect(response.status).toBe(status);
  expect(text).toMatch(/^[A-Z][^\n]+\.\n$/);
  expect(reached).toEqual([]);
  const next = await post({ body: `${commandBody}&trigger_id=${Math.random()}` });
  expect(next.status).toBe(200);
  expect(reached).toEqual(['help']);
}

it('passes a valid request to its listener and returns the acknowledgement', async () => {
  const response = await post();
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('It is done.');
  expect(reached).toEqual(['help']);
});

describe('a signature', () => {
  it.each([
    { why: 'made with another secret', changes: { signature: `v0=${'0'.repeat(64)}` } },
    { why: 'that is not there', changes: { leaveOut: 'x-slack-signature' } },
    { why: 'without its timestamp', changes: { leaveOut: 'x-slack-request-timestamp' } },
    {
      why: 'of another body',
      changes: { signature: sign(secret, Number(ago(0)), 'command=%2Fbelay'), timestamp: ago(0) },
    },
    { why: 'older than five minutes', changes: { timestamp: ago(302) } },
    { why: 'from the future', changes: { timestamp: ago(-60) } },
  ] satisfies { why: string; changes: Changes }[])('$why gets 401', async ({ changes }) => {
    await expectRefused(await post(changes), 401);
  });

  it("of yesterday gets 401 by Belay's injected clock", async () => {
    aheadMs = 6 * 60_000;
    const response = await post();
    aheadMs = 0;
    await expectRefused(response, 401);
  });

  it('seen before gets 409, and the listener is not called again', async () => {
    const changes = { timestamp: ago(1) };
    expect((await post(changes)).status).toBe(200);
    expect((await post(changes)).status).toBe(409);
    expect(reached).toEqual(['help']);
  });

  it('is logged only as invalid, without the body', async () => {
    await post({ signature: `v0=${'0'.repeat(64)}` });
    expect(logged.join()).toContain('"signature":"invalid"');
    expect(logged.join()).not.toContain('%2Fbelay');
  });
});

describe('a signed body', () => {
  const json = 'application/json';
  it.each([
    { body: commandBody, contentType: 'text/plain' },
    { body: '{"type":"event_callback"}', contentType: 'text/plain' },
    { body: commandBody, contentType: json },
    { body: '{"type":', contentType: json },
    { body: 'null', contentType: json },
    { body: '[]', contentType: json },
    { body: '"text"', contentType: json },
    { body: '', contentType: json },
    { body: 'payload={' },
    { body: 'payload=null' },
    { body: 'payload=%5B%5D' },
    { body: 'payload=7' },
    { body: 'payload=' },
    { body: 'payload=%7B%7D&payload=%7B%7D' },
    { body: '' },
    { body: 'a=1' },
    { body: 'command=%2Fbelay&text=help' },
    { body: 'command=%2Fbelay&command=%2Fother&team_id=T1&user_id=U1' },
    { body: '{}', contentType: json },
    { body: '{"type":7}', contentType: json },
    { body: '{"type":"event_callback","event":null}', contentType: json },
    { body: '{"type":"url_verification"}', contentType: json },
  ])('of $contentType $body gets 400', async (changes) => {
    await expectRefused(await post(changes), 400);
  });

  const user = { id: 'U1' };
  const button = { type: 'button', action_id: 'a', block_id: 'b' };
  it.each([
    { type: 'block_actions' },
    { type: 'block_actions', user, actions: [] },
    { type: 'block_actions', user, actions: [null] },
    { type: 'block_actions', actions: [button] },
    { type: 'block_actions', user: null, actions: [button] },
    { type: 'block_actions', user, actions: [button], event: null },
    { type: 'block_suggestion', value: 'x' },
    { type: 'view_submission', user },
    { type: 'view_submission', user, view: { id: 'V1', callback_id: 'c', state: {} } },
    { type: 'view_closed', user, view: {} },
    { type: 'shortcut', user },
    { type: 'message_action', callback_id: 'c' },
    { type: 'dialog_submission', user },
  ])('whose payload is %j gets 400', async (payload) => {
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    await expectRefused(await post({ body }), 400);
  });

  it('of JSON with a charset is answered', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    const response = await post({ body, contentType: 'application/json; charset=utf-8' });
    expect([response.status, await response.text()]).toEqual([200, '{"challenge":"abc"}']);
  });

  // Slack has sent the state of a view without fields both ways: slack-go/slack#943.
  it.each([{ values: {} }, { values: [] }])(
    'of a form with $values is dispatched',
    async ({ values }) => {
      const view = { id: 'V1', callback_id: 'c', state: { values } };
      const payload = { type: 'view_submission', user, view };
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      expect((await post({ body })).status).toBe(200);
      expect(submitted).toEqual(['c']);
    },
  );

  it('that is refused is logged in one line, without the body', async () => {
    await post({ body: 'payload=%7B%22token%22%3A%22canary' });
    const lines = logged.filter((line) => line.includes('malformed'));
    expect(lines).toHaveLength(1);
    expect(logged.join()).not.toContain('canary');
  });

  it('of a type without a listener is acknowledged immediately', async () => {
    for (const type of ['dialog_cancellation', 'workflow_step_edit', 'something_new']) {
      const body = new URLSearchParams({ payload: JSON.stringify({ type, user }) }).toString();
      const response = await post({ body });
      expect([response.status, await response.text()]).toEqual([200, '']);
    }
    const event = { type: 'app_rate_limited', team_id: 'T1' };
    expect((await post({ body: JSON.stringify(event), contentType: json })).status).toBe(200);
    expect(reached).toEqual([]);
  });

  it('without a content type gets 400', async () => {
    await expectRefused(await post({ leaveOut: 'content-type', contentType: json }), 400);
  });

  it('over 1 MB gets 413', async () => {
    await expectRefused(await post({ body: 'a'.repeat(maxBody + 1) }), 413);
  });

  // Otherwise the connection would end only with Node's keep-alive timeout, after more than 5 s.
  it('that never ends gets 413 and is disconnected', { timeout: 4000 }, async () => {
    expect(await postEndlessly()).toMatch(/^HTTP\/1\.1 413 /);
    expect(reached).toEqual([]);
    expect((await post()).status).toBe(200);
  });
});

it.each([
  { method: 'GET', path: '/slack/events', status: 405 },
  { method: 'PUT', path: '/slack/events', status: 405 },
  { method: 'POST', path: '/', status: 404 },
  { method: 'POST', path: '/slack/events/', status: 404 },
  { method: 'GET', path: '/slack/install', status: 404 },
])('$method $path gets $status', async ({ method, path, status }) => {
  await expectRefused(await fetch(new URL(path, url), { method }), status);
});

it('handles a client that disconnects in the middle of a body', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${plausibleHead(100)}half`);
  await new Promise<void>((resolve) => socket.end(resolve));
  socket.destroy();
  expect((await post()).status).toBe(200);
});

it('stops while a client holds an idle connection open', async () => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  // When this is answered, the server has accepted the idle connection as well.
  await post();
  await http.stop();
});

it('stops while a client never finishes a request', async () => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${plausibleHead(100)}half`);
  await post();
  await http.stop();
});

/** Sends without end or content-length, even once answered, until it is disconnected. */
function postEndlessly(): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (data) => {
      answer += String(data);
    });
    // Writing to a connection that is being closed may fail; being closed is what counts.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const send = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', send);
    socket.write(plausibleHead('chunked'));
    send();
  });
}
