import { expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { ask, buttonTexts, heardBack, messagesOf, seeAgain } from '../support/ask.ts';
import { changeSetup } from '../support/set-up.ts';
import { shareWorld } from '../support/world.ts';

let ahead = 0;
const world = shareWorld({ clock: () => new Date(Date.now() + ahead) });
const twoMinutesMs = 2 * 60 * 1000;

function isEnabled(email: string) {
  const { service, portal } = world();
  return service.users(portal.id).find((user) => user.email === email)?.is_enabled;
}

test('a final message that Slack refused is sent once by the next sweep', async () => {
  const { ana, ben, slack, belay } = world();
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  await ben.press(request, 'Approve');
  await heardBack(ana);
  const before = messagesOf(ana).length;

  const second = await ask(ana, '/belay disable joana.prado@example.com');
  slack.failNext('conversations.open', 'internal_error');
  await ben.press(second, 'Approve');
  await seeAgain(ben, second, 'is disabled.');
  ahead = twoMinutesMs;
  await belay.sweep();
  await heardBack(ana, 2);
  await belay.sweep();
  const news = messagesOf(ana).filter(({ text }) => text.includes('Your request to '));
  expect(news).toHaveLength(2);
  expect(before).toBeGreaterThan(0);
  ahead = 0;
});

test('the next sweep updates a message that could not be updated', async () => {
  const { ana, ben, slack, belay } = world();
  const request = await ask(ana, '/belay delete kim.lee.contractor@example.com', {
    email: { input: 'kim.lee.contractor@example.com' },
  });
  slack.failNext('chat.update', 'internal_error');
  await ben.press(await seeAgain(ben, request, 'Waiting'), 'Deny');
  await ben.submit(await ben.seeDialog('Visible to the requester.'), {
    reason: { input: 'Still needed' },
  });
  await heardBack(ana);
  expect(buttonTexts(await seeAgain(ana, request, 'Waiting'))).toHaveLength(4);

  ahead = twoMinutesMs;
  await belay.sweep();
  expect(buttonTexts(await seeAgain(ana, request, 'Denied by'))).toEqual(['View user']);
  ahead = 0;
});

test('the requester is not listed as an approver', async () => {
  const { cleo, ben } = world();
  await changeSetup(world().cleo, { approvers: [people.ben, people.cleo] });
  const request = await ask(ben, '/belay disable ana.silva@example.com');
  const waiting = JSON.stringify(request.blocks);
  expect(waiting).toContain(`Approver: <@${people.cleo}> · Expires`);
  expect(waiting).not.toContain(`Approver: <@${people.ben}>`);
  await cleo.press(await seeAgain(cleo, request, 'Waiting'), 'Approve');
  await heardBack(ben);
  await changeSetup(world().cleo, { approvers: [people.ben] });
});

test('a run stops if the requester has left', async () => {
  const { ana, ben, slack } = world();
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  slack.setPerson(people.ana, { isDeactivated: true });
  await ben.press(await seeAgain(ben, request, 'Waiting'), 'Approve');
  await seeAgain(ben, request, 'no longer a full member of this workspace');
  expect(isEnabled('ana.silva@example.com')).toBe(true);
  // The last thing Belay does is to ask who the requester is now. They get no direct message.
  const lookUp = { method: 'users.info', arguments: { user: people.ana } };
  await expect.poll(() => slack.calls.at(-1)).toMatchObject(lookUp);
});

test("a denial shows its reason, which can't be blank", async () => {
  const { ana, ben } = world();
  const request = await ask(ana, '/belay disable ana.silva@example.com');
  await ben.press(await seeAgain(ben, request, 'Waiting'), 'Deny');
  const form = await ben.seeDialog('Visible to the requester.');
  await ben.submit(form, { reason: { input: '  ' } });
  await ben.see(({ views }) => Object.keys(views.at(-1)?.errors ?? {})[0]);
  await ben.submit(form, { reason: { input: 'Not yet' } });
  expect((await heardBack(ana)).text).toContain('Not yet');
});
