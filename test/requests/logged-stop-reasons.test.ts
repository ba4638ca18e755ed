import { afterEach, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { User } from '../../playground/service/resources.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, seeAgain } from '../support/ask.ts';
import { replaceConnection } from '../support/set-up.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

const email = 'joana.prado@example.com';
const dayMs = 24 * 60 * 60_000;
let ahead = 0;
// So late that only the sweeps in these tests check outcomes.
const timings = { leaseMs: 30_000, settleMs: 0, checkMs: 60_000 };
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + ahead),
  timings,
});
afterEach(() => {
  ahead = 0;
});

function joana(): User {
  const { service, portal } = world();
  const user = service.users(portal.id).find((one) => one.email === email);
  if (!user) throw new Error('Joana is gone');
  return user;
}

async function lastEntryOf(request: Message): Promise<string | undefined> {
  return (await logOf(db(), request)).at(-1);
}

const objections: { what: string; meanwhile: () => void; words: RegExp; entry: string }[] = [
  {
    what: 'a changed user',
    meanwhile: () =>
      world().service.changeUser(world().portal.id, joana().id, { full_name: 'Joana Lima' }),
    words: /Voided: Name changed/,
    entry: 'voided belay subject_changed',
  },
  {
    what: 'a requester who is the user',
    meanwhile: () => world().slack.setPerson(people.ana, { email }),
    words: /Couldn't disable /,
    entry: 'failed belay guard_refused',
  },
  {
    what: 'a requester who left',
    meanwhile: () => world().slack.setPerson(people.ana, { isDeactivated: true }),
    words: /no longer a full member/,
    entry: 'failed belay requester_not_member',
  },
];

test.each(objections)('the audit log records that the run was stopped by $what', async (one) => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  one.meanwhile();
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, one.words);
  expect(await lastEntryOf(request)).toBe(one.entry);
});

async function leaveOutcomeUnknown(): Promise<Message> {
  const { ana, ben, service } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  service.setFault({ kind: 'reset', afterActing: true }, { method: 'PATCH' });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, /keeps checking\./);
  service.setFault({ kind: 'reset' });
  return request;
}

test('an outcome that stays unknown is logged once', async () => {
  const request = await leaveOutcomeUnknown();
  expect(await lastEntryOf(request)).toBe('outcome_unknown belay');
  const { ana, belay } = world();
  for (const ms of [1000, dayMs, 61 * 60_000]) {
    ahead += ms;
    await belay.sweep();
  }
  await seeAgain(ana, request, /Check the service's portal\./);
  expect((await logOf(db(), request)).slice(-2)).toEqual([
    'outcome_unknown belay',
    'outcome_unknown belay gave_up',
  ]);
});

test('an outcome that is unknown because of a new connection is logged once', async () => {
  const request = await leaveOutcomeUnknown();
  const { ana, belay, service } = world();
  service.setFault(undefined);
  await replaceConnection(world());
  for (const ms of [1000, 60_000]) {
    ahead += ms;
    await belay.sweep();
  }
  await seeAgain(ana, request, /Check the service's portal\./);
  expect(await lastEntryOf(request)).toBe('outcome_unknown belay gave_up');
});
