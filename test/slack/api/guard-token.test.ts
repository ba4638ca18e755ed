import { expect, it } from 'vitest';
import { guardToken } from '../../../src/slack/api/slack-clients.ts';

type Found = 'current' | 'replaced' | 'gone';

/** A guarded `fetch`. Slack gives these answers in turn, then `ok`; `lookUp` reads the database. */
function start(answers: object[], lookUp: () => Promise<Found>) {
  const counts = { sent: 0, refused: 0 };
  const send = guardToken(
    async () => {
      counts.sent += 1;
      return Response.json(answers.shift() ?? { ok: true });
    },
    {
      lookUp,
      onRefused() {
        counts.refused += 1;
      },
    },
  );
  const call = async () => (await send('https://slack.com/api/users.info')).json();
  return { counts, call };
}

const refusal = { ok: false, error: 'account_inactive' };

it('sends nothing with a token that is no longer stored', async () => {
  const { counts, call } = start([], async () => 'gone');
  expect(await call()).toEqual(refusal);
  expect(counts).toEqual({ sent: 0, refused: 0 });
});

it('uses a token again that Slack refused by mistake', async () => {
  const { counts, call } = start([{ ok: false, error: 'invalid_auth' }], async () => 'current');
  expect(await call()).toMatchObject({ ok: false });
  expect(await call()).toEqual({ ok: true });
  expect(counts).toEqual({ sent: 2, refused: 1 });
});

it('does not use a refused token once another one has replaced it', async () => {
  const { counts, call } = start([{ ok: false, error: 'token_revoked' }], async () => 'replaced');
  await call();
  await call();
  expect(counts.sent).toBe(1);
});

it('sends while the database does not answer', async () => {
  const { counts, call } = start([refusal], () => Promise.reject(new Error('no connection')));
  await call();
  expect(await call()).toEqual({ ok: true });
  expect(counts.sent).toBe(2);
});

it('uses a replaced token as long as Slack accepts it', async () => {
  const { counts, call } = start(
    [{ ok: false, error: 'channel_not_found' }],
    async () => 'replaced',
  );
  await call();
  expect(await call()).toEqual({ ok: true });
  expect(counts).toEqual({ sent: 2, refused: 0 });
});
