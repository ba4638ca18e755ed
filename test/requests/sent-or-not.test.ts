import { afterEach, expect, test } from 'vitest';
import type { User } from '../../playground/service/resources.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, seeAgain } from '../support/ask.ts';
import { replaceConnection } from '../support/set-up.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

const minuteMs = 60_000;
let ahead = 0;
// So late that only the sweeps in these tests check outcomes.
const timings = { leaseMs: 30_000, settleMs: 0, checkMs: minuteMs };
const { world, db } = shareWorldWithDatabase({
  clock: () => new Date(Date.now() + ahead),
  timings,
});
afterEach(() => {
  ahead = 0;
});

const email = 'joana.prado@example.com';

function joana(): User | undefined {
  const { service, portal } = world();
  return service.users(portal.id).find((user) => user.email === email);
}

function disabledBySomebodyElse(): void {
  const { service, portal } = world();
  service.changeUser(portal.id, joana()?.id ?? '', { is_enabled: false });
}

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

const deletion = [`/belay delete ${email}`, { email: { input: email } }] as const;

/** Approves a request whose first attempt fails after the user was read, before anything is sent. */
async function interruptBeforeSending(...command: Parameters<typeof askAna>): Promise<Message> {
  const { ana, ben, slack, service } = world();
  const request = await askAna(...command);
  // Belay looks up the people after the user, so the run waits here.
  service.setFault({ kind: 'held' }, { method: 'GET' });
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'Belay is making the change.');
  slack.failNext('users.info', 'internal_error');
  service.setFault(undefined);
  await seeAgain(ana, request, "The change hasn't been sent yet.");
  return request;
}

function askAna(command: string, form?: Parameters<typeof ask>[2]): Promise<Message> {
  return ask(world().ana, command, form);
}

async function checkOutcome(): Promise<void> {
  ahead += 2 * minuteMs;
  await world().belay.sweep();
}

test("a deletion doesn't go on from somebody else's change, so canceling can't enable the user", async () => {
  const request = await interruptBeforeSending(...deletion);
  disabledBySomebodyElse();
  await checkOutcome();
  const voided = await seeAgain(world().ana, request, 'Voided: The account was enabled');
  expect(buttonTexts(voided)).toEqual(['Request again…', 'View user']);
  await heardBack(world().ana);
  expect(writes()).toEqual([]);
  expect(joana()?.is_enabled).toBe(false);
});

test('a change that somebody else made is not reported as made by Belay', async () => {
  const request = await interruptBeforeSending(`/belay disable ${email}`);
  disabledBySomebodyElse();
  await checkOutcome();
  const done = await seeAgain(world().ana, request, 'No change was needed');
  // Undoing it would undo what somebody else did.
  expect(buttonTexts(done)).toEqual(['View user']);
  await heardBack(world().ana);
  expect((await logOf(db(), request)).at(-1)).toBe('completed belay not_needed');
  expect(writes()).toEqual([]);
});

test('a request that was never sent fails when the connection is replaced', async () => {
  const request = await interruptBeforeSending(`/belay disable ${email}`);
  const { ana } = world();
  await replaceConnection(world());
  await checkOutcome();
  const failed = await seeAgain(ana, request, 'The connection to the service has changed');
  expect(failed.text).toContain("Couldn't disable ");
  await heardBack(ana);
});

test('a user who was gone when the deletion arrived is not reported as deleted by Belay', async () => {
  const { ana, ben, service, belay } = world();
  const request = await askAna(...deletion);
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'will be deleted');
  await heardBack(ana);
  // As if somebody else had been faster.
  service.setFault({ kind: 'status', status: 404, afterActing: true }, { method: 'DELETE' });
  ahead = 30 * minuteMs;
  await belay.sweep();
  const voided = await seeAgain(ana, request, 'was deleted by somebody else');
  expect(voided.text).not.toContain('is deleted');
  expect((await logOf(db(), request)).at(-1)).toBe('voided belay subject_not_found');
});
