import { expect, test } from 'vitest';
import { limitClient } from '../../../src/dataprotection/client.ts';
import { deleteUser } from '../../../src/dataprotection/resources/users.ts';
import {
  LeaseEndedError,
  type LeaseTerm,
  startLeaseTerm,
} from '../../../src/requests/run/lease-term.ts';
import { answerJson, clientOf, errorOf } from '../../dataprotection/local-server.ts';

const noon = Date.parse('2026-03-01T12:00:00Z');

/** A lease of a minute at noon, with clocks that the test sets. */
function startAtNoon() {
  const clocks = { wall: noon, monotonic: 0 };
  const term = startLeaseTerm('one', {
    clock: () => new Date(clocks.wall),
    now: () => clocks.monotonic,
    leaseMs: 60_000,
  });
  return { term, clocks };
}

const granted = async () => true;

test('lasts from before the statement that extends it', async () => {
  const { term, clocks } = startAtNoon();
  expect(startAtNoon().term.isHeld()).toBe(false);
  await term.extend(async ({ holder, until }) => {
    expect({ holder, until }).toEqual({ holder: 'one', until: new Date(noon + 60_000) });
    clocks.wall += 59_000;
    return true;
  });
  expect(term.isHeld()).toBe(true);
  clocks.wall += 1000;
  expect(term.isHeld()).toBe(false);
});

test.each(['wall', 'monotonic'] as const)('ends by the %s clock alone', async (which) => {
  const { term, clocks } = startAtNoon();
  await term.extend(granted);
  clocks[which] += 90_000;
  expect(term.isHeld()).toBe(false);
  expect(term.signal.reason).toBeInstanceOf(LeaseEndedError);
});

test('lasts longer when it is renewed, and ends when it is refused', async () => {
  const { term, clocks } = startAtNoon();
  await term.extend(granted);
  for (let renewals = 0; renewals < 3; renewals += 1) {
    clocks.wall += 50_000;
    clocks.monotonic += 50_000;
    await term.extend(granted);
  }
  expect(term.isHeld()).toBe(true);
  await term.extend(async () => undefined);
  expect(term.isHeld()).toBe(false);
});

test('is not held again once it ended', async () => {
  const { term, clocks } = startAtNoon();
  await term.extend(granted);
  clocks.wall += 90_000;
  expect(term.isHeld()).toBe(false);
  await term.extend(granted);
  expect(term.isHeld()).toBe(false);
});

function clientUnder({ signal, isHeld }: LeaseTerm, client: Awaited<ReturnType<typeof clientOf>>) {
  return limitClient(client, { signal, beforeSend: () => void isHeld() });
}

test('a request is not sent if the clocks passed the end, whatever the timer says', async () => {
  let requests = 0;
  const { term, clocks } = startAtNoon();
  const client = await clientOf((_request, response) => {
    requests += 1;
    // The wait before the retry is when the process is stopped.
    clocks.wall += 90_000;
    response.writeHead(429).end();
  });
  await term.extend(granted);
  expect(await errorOf(deleteUser(clientUnder(term, client), '1'))).toBeInstanceOf(LeaseEndedError);
  expect(requests).toBe(1);
});

test('waiting for an answer ends with the lease', async () => {
  const term = startLeaseTerm('one', { clock: () => new Date(), leaseMs: 50 });
  const client = await clientOf(() => undefined);
  await term.extend(granted);
  expect(await errorOf(deleteUser(clientUnder(term, client), '1'))).toBeInstanceOf(LeaseEndedError);
});

test('a call keeps its own signal', async () => {
  const { term } = startAtNoon();
  const client = await clientOf((_request, response) => answerJson(response, {}));
  await term.extend(granted);
  const reason = new Error('the caller went away');
  const signal = AbortSignal.abort(reason);
  expect(await errorOf(deleteUser(clientUnder(term, client), '1', { signal }))).toBe(reason);
  term.release();
});
