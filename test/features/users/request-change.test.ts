import { expect, test } from 'vitest';
import { callPortal } from '../../playground/service/call-portal.ts';
import {
  aReason,
  ask,
  buttonTexts,
  fillForm,
  heardBack,
  messagesOf,
  seeAgain,
} from '../../support/ask.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld();

function userByEmail(email: string) {
  const { service, portal } = world();
  return service.users(portal.id).find((user) => user.email === email);
}

function writes() {
  return world()
    .service.requests.filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ method, path, body: body === '' ? '' : JSON.parse(body) }));
}

test('disable: the form and the request show the user and the reason, then Re-enable is offered', async () => {
  const { ana, ben } = world();
  await ana.send('ops', '/belay disable Ana Silva');
  const form = await ana.seeDialog('Reason');
  expect(form).toMatchObject({ title: 'Disable user', submit: 'Request approval' });
  expect(JSON.stringify(form.blocks)).toContain('*Ana Silva* (ana.silva@example.com)');
  await ana.submit(form, { reason: { input: aReason } });

  const request = await ben.seeMessage('Waiting for approval.');
  expect(request.text).toContain('<@U0ANA00001> requests approval to disable *Ana Silva*');
  const shown = JSON.stringify(request.blocks);
  expect(shown).toContain(aReason);
  expect(shown).toContain('Approver: <@U0BEN00002> · Expires <!date^');
  expect(request.isEphemeral).toBe(false);
  expect(writes()).toEqual([]);

  await ben.press(request, 'Approve');
  const done = await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  const id = userByEmail('ana.silva@example.com')?.id;
  expect(writes()).toEqual([
    { method: 'PATCH', path: `/users/${id}`, body: { is_enabled: false } },
  ]);
  expect(buttonTexts(done)).toEqual(['Re-enable', 'View user']);
});

test('Re-enable creates a new request that needs approval', async () => {
  const { ana, ben } = world();
  const disabling = await ask(ana, '/belay disable ana.silva@example.com');
  await ben.press(disabling, 'Approve');
  const disabled = await seeAgain(ana, disabling, 'is disabled.');
  await heardBack(ana);

  await ana.press(disabled, 'Re-enable');
  const form = await ana.seeDialog('Reason');
  expect(form.title).toBe('Re-enable user');
  await ana.submit(form, { reason: { input: 'Back from leave' } });
  const request = await ben.seeMessage(
    /requests approval to re-enable \*Ana Silva\*.*Waiting for approval/,
  );
  expect(userByEmail('ana.silva@example.com')?.is_enabled).toBe(false);

  await ana.press(request, 'Approve');
  await ana.seeMessage("You can't decide your own request.");
  await ben.press(request, 'Approve');
  const enabled = await seeAgain(ana, request, 'is enabled.');
  await heardBack(ana, 2);
  expect(buttonTexts(enabled)).toEqual(['View user']);
  expect(userByEmail('ana.silva@example.com')?.is_enabled).toBe(true);
});

test('the button on the card creates the same request', async () => {
  const { ana, ben } = world();
  await ana.send('ops', '/belay users mariana.costa@example.com');
  const card = await ana.seeMessage("Each change needs a second person's approval.");
  await ana.press(card, 'Re-enable…');
  await ana.submit(await ana.seeDialog('Reason'), { reason: { input: aReason } });
  const request = await ben.seeMessage('requests approval to re-enable *Mariana Costa*');
  await ben.press(request, 'Approve');
  await heardBack(ana);
  expect(userByEmail('mariana.costa@example.com')?.is_enabled).toBe(true);
});

test('rename changes the name and nothing else', async () => {
  const { ana, ben } = world();
  const before = userByEmail('joana.prado@example.com');
  const request = await ask(ana, '/belay rename joana.prado@example.com', {
    fullName: { input: '  Joana *Prado* & Söhne  ' },
  });
  expect(JSON.stringify(request.blocks)).toContain(
    'Rename Joana Prado (joana.prado@example.com) to Joana *Prado* & Söhne',
  );
  await ben.press(request, 'Approve');
  const done = await seeAgain(ana, request, 'is now named');
  await heardBack(ana);
  expect(done.text).toContain('(joana.prado@example.com) is now named *Joana ∗Prado∗ &amp; Söhne*');
  expect(userByEmail('joana.prado@example.com')).toEqual({
    ...before,
    full_name: 'Joana *Prado* & Söhne',
  });
  expect(writes().map(({ body }) => body)).toEqual([{ full_name: 'Joana *Prado* & Söhne' }]);
});

test('a blank name or reason is refused', async () => {
  const { ana, ben } = world();
  await ana.send('ops', '/belay rename joana.prado@example.com');
  const blank = { input: '  \n ' };
  await ana.submit(await ana.seeDialog('Reason'), { reason: blank, fullName: blank });
  const open = await ana.seeDialog('Enter a name.');
  expect(open.errors).toEqual({
    reason: 'Enter a reason.',
    fullName: 'Enter a name.',
  });
  expect(messagesOf(ben)).toEqual([]);
});

test('a name that the user already has is refused', async () => {
  const { ana } = world();
  await fillForm(ana, '/belay rename joana.prado@example.com');
  const answer = await ana.seeMessage('already has this name. No request was sent.');
  expect(answer.text).toContain(aReason);
});

test.each([
  ['disable', 'mariana.costa@example.com', 'is already disabled. No request was sent.'],
  ['enable', 'ana.silva@example.com', 'is already enabled. No request was sent.'],
  ['disable', 'zzyzx', 'No user matches “zzyzx”. No request was sent.'],
  ['delete', '../users', 'No user matches “../users”. No request was sent.'],
])('/belay %s %s: %s', async (verb, target, words) => {
  const { ana } = world();
  await ana.send('ops', `/belay ${verb} ${target}`);
  const dialog = await ana.seeDialog(words);
  expect(dialog.submit).toBeUndefined();
});

test.each(['disable', 'enable', 'rename', 'delete'])('/belay %s without a user', async (verb) => {
  const { ana } = world();
  await ana.send('ops', `/belay ${verb}`);
  await ana.seeMessage(`Which user? Example: \`/belay ${verb} ana@example.com\``);
  expect(ana.snapshot().views).toEqual([]);
});

test('asks which user is meant if two have the same name', async () => {
  const { ana, ben } = world();
  await ana.send('ops', '/belay disable kim lee');
  const choice = await ana.seeDialog('2 users match “kim lee”. Choose one.');
  expect(choice.submit).toBeUndefined();
  expect(JSON.stringify(choice.blocks)).toContain('(kim.lee@example.com)');
  expect(JSON.stringify(choice.blocks)).toContain('(kim.lee.contractor@example.com)');
  expect(JSON.stringify(choice.blocks).match(/last activity: /g)).toHaveLength(2);
  expect(buttonTexts(choice)).toEqual(['Select', 'Select']);

  await ana.press({ ...choice, blocks: choice.blocks.slice(2) }, 'Select');
  const form = await ana.seeDialog('Reason');
  expect(JSON.stringify(form.blocks)).toContain('kim.lee.contractor@example.com');
  await ana.submit(form, { reason: { input: aReason } });
  const request = await ben.seeMessage(
    'requests approval to disable *Kim Lee* (kim.lee.contractor@example.com)',
  );
  await ben.press(request, 'Approve');
  await heardBack(ana);
  expect(userByEmail('kim.lee.contractor@example.com')?.is_enabled).toBe(false);
  expect(userByEmail('kim.lee@example.com')?.is_enabled).toBe(true);
});

test('creates no request if the user was deleted before the click', async () => {
  const { ana, portal } = world();
  await ana.send('ops', '/belay users joana.prado@example.com');
  const card = await ana.seeMessage("Each change needs a second person's approval.");
  const id = userByEmail('joana.prado@example.com')?.id;
  await callPortal(portal, `/users/${id}`, { method: 'DELETE' });

  await ana.press(card, 'Disable…');
  await ana.seeDialog(/The user with the ID .* no longer exists\. No request was sent\./);
});
