import { afterEach, expect, test } from 'vitest';
import { roleByKey } from '../../playground/service/data/roles.ts';
import type { User } from '../../playground/service/resources.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { shareWorld } from '../support/world.ts';

const graceMs = 30 * 60_000;
let ahead = 0;
const world = shareWorld({ dialect: 'live', clock: () => new Date(Date.now() + ahead) });
afterEach(() => {
  ahead = 0;
});

const email = 'joana.prado@example.com';

function joana(): User {
  const { service, portal } = world();
  const user = service.users(portal.id).find((one) => one.full_name.startsWith('Joana'));
  if (!user) throw new Error('Joana is gone');
  return user;
}

function change(what: Partial<Omit<User, 'id'>>): void {
  world().service.changeUser(world().portal.id, joana().id, what);
}

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

/** Waits for the text in the channel and in the requester's direct message. */
function seeBoth(request: Message, words: string): Promise<Message[]> {
  const { ana } = world();
  const directMessage = ana.see(
    () =>
      messagesOf(ana).find(({ text }) => text.includes('Your request to ') && text.includes(words)),
    `the direct message with ${words}`,
  );
  return Promise.all([seeAgain(ana, request, words), directMessage]);
}

const unit = '00000000-0000-0000-0000-000000000000';
const changes: { what: string; change: Partial<Omit<User, 'id'>>; words: string }[] = [
  {
    what: 'email address',
    change: { email: 'joana.p@example.com' },
    words: `Email address changed from ${email} to joana.p@example.com.`,
  },
  {
    what: 'name',
    change: { full_name: 'Joana Prado Lima' },
    words: 'Name changed from *Joana Prado* to *Joana Prado Lima*.',
  },
  {
    what: 'confirmation',
    change: { is_confirmed: false },
    words: 'The account was confirmed and is now not confirmed.',
  },
  {
    what: 'roles',
    change: { access: [{ roleId: roleByKey.unitAdmin.id, unitIds: [unit] }] },
    words: `Role added: \`${roleByKey.unitAdmin.id}\` in organizational unit \`${unit}\`.`,
  },
];

test.each(changes)('a changed $what voids an approved request', async ({ change: made, words }) => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  change(made);
  await ben.press(request, 'Approve');
  for (const copy of await seeBoth(request, `Voided: ${words}`)) {
    expect(copy.text).toContain('Nothing was changed.');
    expect(buttonTexts(copy)).toEqual(['Request again…', 'View user']);
  }
  expect(writes()).toEqual([]);
});

test('a rename is voided if somebody else disabled the user, and can be requested again', async () => {
  const { ana, ben } = world();
  const name = { fullName: { input: 'Joana Lima' } };
  const request = await ask(ana, `/belay rename ${email}`, name);
  change({ is_enabled: false });
  await ben.press(request, 'Approve');
  const words = 'The account was enabled and is now disabled. Nothing was changed.';
  const [voided] = await seeBoth(request, words);
  expect(writes()).toEqual([]);

  if (voided) await ana.press(voided, 'Request again…');
  const form = await ana.seeDialog('Reason');
  await ana.submit(form, { reason: { input: 'Still needed' }, ...name });
  const again = await ana.see(
    () =>
      messagesOf(ana).find(
        ({ text, messageTs }) =>
          messageTs !== request.messageTs && text.includes('Waiting for approval.'),
      ),
    'another request',
  );
  await ben.press(again, 'Approve');
  await seeAgain(ben, again, 'is now named *Joana Lima*.');
  await heardBack(ana, 2);
  expect(joana().full_name).toBe('Joana Lima');
});

test('activity of the user does not void a request', async () => {
  const { ana, ben } = world();
  const request = await ask(ana, `/belay disable ${email}`);
  change({ last_activity_timestamp: new Date().toISOString() });
  await ben.press(request, 'Approve');
  await seeAgain(ben, request, 'is disabled.');
  await heardBack(ana);
});

test('the first step of a deletion does not void it', async () => {
  const { ana, ben, belay, service, portal } = world();
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  const { id } = joana();
  await ben.press(request, 'Approve');
  await seeBoth(request, 'will be deleted');
  ahead = graceMs;
  await belay.sweep();
  await seeBoth(request, 'is deleted.');
  expect(service.user(portal.id, id)).toBeUndefined();
});

test('enabling the user again stops the deletion, and the message says so', async () => {
  const { ana, ben, belay } = world();
  const request = await ask(ana, `/belay delete ${email}`, { email: { input: email } });
  await ben.press(request, 'Approve');
  await seeBoth(request, 'will be deleted');
  change({ is_enabled: true });
  ahead = graceMs;
  await belay.sweep();
  const words = 'Voided: The account was disabled and is now enabled.';
  for (const copy of await seeBoth(request, words)) {
    expect(copy.text).not.toContain('is disabled.');
    expect(buttonTexts(copy)).toContain('Request again…');
  }
  expect(joana().is_enabled).toBe(true);
});

test('a request about a user who was deleted meanwhile is voided', async () => {
  const { ana, ben, service, portal } = world();
  const request = await ask(ana, '/belay rename kim.lee.contractor@example.com', {
    fullName: { input: 'Kim Contractor' },
  });
  const kim = service
    .users(portal.id)
    .find((user) => user.email === 'kim.lee.contractor@example.com');
  const headers = { authorization: `Bearer ${portal.token}`, 'api-version': '1' };
  await fetch(`${portal.baseUrl}/users/${kim?.id}`, { method: 'DELETE', headers });
  expect(service.user(portal.id, kim?.id ?? '')).toBeUndefined();
  await ben.press(request, 'Approve');
  await seeBoth(
    request,
    'Voided: The subject of this request was deleted by somebody else or moved to another organizational unit. Nothing was changed.',
  );
});
