import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { createLogger } from '../../../src/logger.ts';
import { exchangeRefreshToken } from '../../../src/slack/api/refresh-token.ts';
import { serve } from '../../support/serve.ts';

/** The result of a refresh that is answered like this. */
async function refreshWith(answer: RequestListener) {
  const app = { clientId: '1.2', clientSecret: 's', apiUrl: `${await serve(answer)}/api/` };
  return exchangeRefreshToken(app, 'xoxe-1-old', createLogger('silent'));
}

const json = (body: object): RequestListener => {
  return (_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };
};

const tokens = { ok: true, access_token: 'xoxe.xoxb-1', refresh_token: 'xoxe-1-new' };
const granted = (expiresInSeconds: number) => ({
  result: 'granted',
  pair: { botToken: 'xoxe.xoxb-1', refreshToken: 'xoxe-1-new', expiresInSeconds },
});

it('takes the new pair', async () => {
  expect(await refreshWith(json({ ...tokens, expires_in: 3600 }))).toEqual(granted(3600));
});

it.each([{}, { expires_in: 0 }, { expires_in: null }, { expires_in: 'soon' }])(
  'keeps a pair whose answer has no usable expiry (%o): the old token is spent',
  async (expiry) => {
    expect(await refreshWith(json({ ...tokens, ...expiry }))).toEqual(granted(43_200));
  },
);

it.each<[string, RequestListener]>([
  ['a page', (_, response) => void response.end('<html>Slack is down for maintenance</html>')],
  ['nothing', (_, response) => void response.end()],
  ['no tokens', json({ ok: true })],
  ['a server error', (_, response) => void response.writeHead(502).end('bad gateway')],
  ['an answer that breaks off', (request) => void request.socket.destroy()],
])('does not know the outcome if Slack answers with %s', async (_, answer) => {
  expect(await refreshWith(answer)).toMatchObject({ result: 'failed', isOutcomeUnknown: true });
});

it.each<[string, RequestListener, object]>([
  [
    'rate limiting',
    (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
    { result: 'failed', isOutcomeUnknown: false, retryAfterMs: 7000 },
  ],
  [
    'a wrong secret',
    json({ ok: false, error: 'bad_client_secret' }),
    { result: 'failed', isOutcomeUnknown: false },
  ],
  [
    'a spent token',
    json({ ok: false, error: 'invalid_refresh_token' }),
    { result: 'refused', code: 'invalid_refresh_token' },
  ],
])('tells %s from a lost answer', async (_, answer, expected) => {
  expect(await refreshWith(answer)).toMatchObject(expected);
});
