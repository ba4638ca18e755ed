import { afterEach, describe, expect, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { ask, buttonTexts, heardBack, seeAgain, withdraw } from '../../support/ask.ts';
import {
  changeSetup,
  openSettings,
  requestSetup,
  reviewSetup,
  type SetupChoices,
  submitSetup,
  tokenElsewhere,
} from '../../support/set-up.ts';
import { shareWorld } from '../../support/world.ts';

// These tests type more commands than a person may within a minute.
const world = shareWorld({ callLimits: { command: 1000, click: 1000 } });

afterEach(() => {
  const { slack } = world();
  slack.setPerson(people.ben, {
    isDeactivated: false,
    isAdmin: false,
    email: 'ben@harbor.example',
  });
  slack.setPerson(people.ana, { isAdmin: false, email: 'ana@harbor.example' });
  slack.setPerson(people.cleo, { isAdmin: true, email: 'cleo@harbor.example' });
});

async function savedSettings(): Promise<string> {
  const { cleo } = world();
  const settings = await openSettings(cleo);
  await cleo.close(settings);
  return JSON.stringify(settings.blocks.map((block) => ({ ...block, block_id: undefined })));
}

/** Ben decides again, as at first. While Cleo is the only approver and admin, she changes that alone. */
async function restore(): Promise<void> {
  const { ben, cleo, slack } = world();
  slack.setPerson(people.ana, { isAdmin: false });
  slack.setPerson(people.ben, { isDeactivated: false, email: 'ben@harbor.example' });
  await cleo.close(await changeSetup(cleo, { approvers: [people.ben], grace: '30' }));
  // The last thing that Belay does about it.
  await ben.seeMessage(`→ <@${people.ben}>`);
}

const announcements = (to: { slackUserId: string } = world().ben) =>
  world()
    .slack.snapshot(to.slackUserId)
    .conversations.flatMap(({ messages }) => messages)
    .filter(({ text }) => text.includes("Belay's setup"));

describe('a change that weakens a guard', () => {
  test.each<[string, SetupChoices, string]>([
    ['a shorter grace period', { grace: '0' }, '*Deletion grace period*: 30 minutes → none'],
    ['a higher limit', { usersPerHour: '1000' }, '10 → 1000'],
    [
      'fewer approvers for weaker policies',
      { weakeningApprovals: '1' },
      '*Approvers needed to weaken a policy*: 2 → 1',
    ],
    [
      'another approver',
      { approvers: [people.ben, people.cleo] },
      `*Approvers*: <@${people.ben}> → <@${people.ben}>, <@${people.cleo}>`,
    ],
    [
      'an admin as the only approver',
      { approvers: [people.cleo] },
      `*Approvers*: <@${people.ben}> → <@${people.cleo}>`,
    ],
    ['no approvers', { approvers: [] }, '→ the admins'],
    ['another unit', { unit: 'second' }, "*Organizational unit*: the token's own → "],
    ['a first token owner', { owner: 'joana.prado@example.com' }, '*Token owner*: not set → '],
  ])('is only requested: %s', async (_, choices, line) => {
    const { cleo, portal } = world();
    const before = await savedSettings();
    const unit = portal.organizationalUnits.find(({ isDefault }) => !isDefault)?.id ?? '';
    const request = await requestSetup(cleo, choices.unit ? { unit } : choices);
    expect(JSON.stringify(request.blocks)).toContain(line);
    expect(await savedSettings()).toBe(before);
    await withdraw(cleo, request);
    await seeAgain(cleo, request, 'Nothing was changed.');
    expect(await savedSettings()).toBe(before);
    expect(announcements()).toEqual([]);
  });

  test('is reviewed before it is requested', async () => {
    const { cleo } = world();
    const review = await reviewSetup(cleo, { grace: '0' });
    const shown = JSON.stringify(review.blocks);
    expect(shown).toContain('A second person must approve these changes.');
    expect(shown).toContain(
      `until an approver other than you approves. Approvers: <@${people.ben}>.`,
    );
    expect(shown).toContain('30 minutes → none');
    await cleo.close(review);
    expect(await savedSettings()).toContain('30 minutes');
  });

  test('is saved once another person approves it, and announced', async () => {
    const { ben, cleo } = world();
    const request = await requestSetup(cleo, { grace: '29' });
    await cleo.press(request, 'Approve');
    await cleo.seeMessage("You can't decide your own request.");
    expect(await savedSettings()).toContain('30 minutes');
    await ben.press(request, 'Approve');
    const done = await seeAgain(cleo, request, 'Completed: The setup was changed.');
    expect(buttonTexts(done)).toEqual([]);
    expect(await savedSettings()).toContain('29 minutes');
    const announced = await ben.seeMessage(`<@${people.cleo}> changed Belay's setup.`);
    expect(announced.text).toContain(`<@${people.ben}> approved the change.`);
    expect(announced.text).toContain('30 minutes → 29 minutes');
    await heardBack(cleo);
    await cleo.close(await changeSetup(cleo, { grace: '30' }));
  });

  test('is not saved if it is denied', async () => {
    const { ben, cleo } = world();
    const request = await requestSetup(cleo, { approvers: [people.cleo] });
    await ben.press(request, 'Deny');
    await ben.submit(await ben.seeDialog('Deny request'), { reason: { input: 'Too risky' } });
    await seeAgain(cleo, request, 'Too risky');
    expect(await savedSettings()).toContain(`*Approvers*\\n<@${people.ben}>`);
    await heardBack(cleo);
  });

  test('is announced in the approvals channel that it removes', async () => {
    const { ben, cleo } = world();
    await cleo.close(await changeSetup(cleo, { channel: 'C0APPROVE2' }));
    await cleo.close(await changeSetup(cleo, { channel: null }));
    const announced = await ben.seeMessage(/changed Belay's setup\.[\s\S]*<#C0APPROVE2> → none/);
    expect(announced.channelId).toBe('C0APPROVE2');
  });
});

describe('what weakens nothing is saved at once', () => {
  test.each<[string, SetupChoices]>([
    ['more approvers for weaker policies', { weakeningApprovals: '3' }],
    ['the same value', { grace: '30' }],
  ])('%s', async (_, choices) => {
    const { cleo } = world();
    const saved = await reviewSetup(cleo, choices);
    expect(saved.title).toBe('Belay is set up');
    await cleo.close(saved);
    expect(announcements()).toEqual([]);
  });

  test.each<[string, SetupChoices, string]>([
    ['a longer grace period', { grace: '31' }, '30 minutes → 31 minutes'],
    ['a lower limit', { usersPerHour: '9' }, '10 → 9'],
  ])('and announced if it can hold up approved requests: %s', async (_, choices, line) => {
    const { ben, cleo } = world();
    await cleo.close(await changeSetup(cleo, choices));
    const announced = await ben.seeMessage(line);
    expect(announced.text).toContain(`<@${people.cleo}> changed Belay's setup.`);
    await cleo.close(await changeSetup(cleo, { grace: '30', usersPerHour: '10' }));
    await ben.seeMessage(line.split(' → ').toReversed().join(' → '));
  });
});

test('a review is shown again if the change would void other requests than it listed', async () => {
  const { ana, cleo } = world();
  const first = await ask(ana, '/belay disable joana.prado@example.com');
  const review = await reviewSetup(cleo, { token: tokenElsewhere(world()) });
  await withdraw(ana, first);
  await seeAgain(ana, first, 'Nothing was changed.');
  const second = await ask(ana, '/belay disable kim.lee@example.com');
  await cleo.submit(review, { reason: { input: 'New token' } });
  const again = await cleo.seeDialog('disable *Kim Lee*');
  expect(again.title).toBe('Review changes');
  await cleo.close(again);
  await withdraw(ana, second);
  await seeAgain(ana, second, 'Nothing was changed.');
});

describe('a new token that voids a request about the admin who pastes it', () => {
  async function askAboutCleo() {
    const { ana, slack } = world();
    slack.setPerson(people.cleo, { email: 'joana.prado@example.com' });
    return ask(ana, '/belay disable joana.prado@example.com');
  }

  test('is only requested', async () => {
    const { ana, cleo } = world();
    const about = await askAboutCleo();
    const review = await reviewSetup(cleo, { token: tokenElsewhere(world()) });
    expect(review.submit).toBe('Request approval');
    const shown = JSON.stringify(review.blocks);
    expect(shown).toContain('voids a request that is, or may be, about you');
    await cleo.close(review);
    await withdraw(ana, about);
    await seeAgain(ana, about, 'Nothing was changed.');
  });

  test('is refused if nobody else can approve it', async () => {
    const { ana, ben, cleo, slack } = world();
    const about = await askAboutCleo();
    slack.setPerson(people.ben, { isDeactivated: true });
    await submitSetup(cleo, { token: tokenElsewhere(world()) });
    const refused = await cleo.seeDialog('Nothing was saved');
    const shown = JSON.stringify(refused.blocks);
    expect(shown).toContain('no other approver or admin is active');
    expect(shown).toContain('disable *Joana Prado*');
    await cleo.close(refused);
    slack.setPerson(people.ben, { isDeactivated: false });
    await seeAgain(ben, about, 'Waiting for approval.');
    await withdraw(ana, about);
    await seeAgain(ana, about, 'Nothing was changed.');
  });
});

describe('who approves', () => {
  test('another admin, if no named approver is active', async () => {
    const { ana, cleo, slack } = world();
    slack.setPerson(people.ben, { isDeactivated: true });
    slack.setPerson(people.ana, { isAdmin: true });
    const request = await requestSetup(cleo, { approvers: [people.cleo] });
    expect(JSON.stringify(request.blocks)).toContain('another admin');
    await ana.press(request, 'Approve');
    await seeAgain(cleo, request, 'Completed: The setup was changed.');
    await heardBack(cleo);
    await ana.seeMessage("changed Belay's setup");
    await restore();
  });

  test.each<[string, Parameters<ReturnType<typeof world>['slack']['setPerson']>[1]]>([
    ['a deactivated account', { isDeactivated: true }],
    ['another account of the requester', { email: 'cleo+second@harbor.example' }],
  ])('nobody, if the only other approver is %s: saved and announced', async (_, changes) => {
    const { ben, cleo, slack } = world();
    slack.setPerson(people.ben, changes);
    const review = await reviewSetup(cleo, { approvers: [people.cleo] });
    expect(JSON.stringify(review.blocks)).toContain('Nobody else can approve these changes');
    await cleo.submit(review, {});
    await cleo.close(await cleo.seeDialog('Belay is set up'));
    if (changes.isDeactivated) return restore();
    const answer = await ben.seeMessage(`→ <@${people.cleo}>`);
    expect(answer.text).toContain('No other approver or admin was active.');
    await restore();
  });

  test('somebody is assumed, if Slack does not list the admins', async () => {
    const { cleo, slack } = world();
    slack.setPerson(people.ben, { isDeactivated: true });
    slack.failNext('users.list', 'internal_error');
    const review = await reviewSetup(cleo, { approvers: [people.cleo] });
    expect(JSON.stringify(review.blocks)).toContain(
      "Slack didn't report whether another admin is active,",
    );
    await cleo.close(review);
  });
});

test('the change of somebody who is no longer an admin is not approved', async () => {
  const { ben, cleo, slack } = world();
  const request = await requestSetup(cleo, { grace: '0' });
  slack.setPerson(people.cleo, { isAdmin: false });
  await ben.press(request, 'Approve');
  const answer = await ben.seeMessage('is no longer an admin');
  expect(answer.isEphemeral).toBe(true);
  await seeAgain(ben, request, 'Waiting for approval.');
  slack.setPerson(people.cleo, { isAdmin: true });
  expect(await savedSettings()).toContain('30 minutes');
  await withdraw(cleo, request);
  await seeAgain(cleo, request, 'Nothing was changed.');
});

test('another save voids a waiting change of the setup, and says so first', async () => {
  const { ben, cleo } = world();
  const request = await requestSetup(cleo, { approvers: [people.cleo] });
  const review = await reviewSetup(cleo, { grace: '45' });
  expect(JSON.stringify(review.blocks)).toContain('change the Belay setup');
  await cleo.submit(review, {});
  await cleo.close(await cleo.seeDialog('Belay is set up'));
  const voided = await seeAgain(cleo, request, 'The setup was changed in the meantime.');
  expect(buttonTexts(voided)).toEqual([]);
  await heardBack(cleo);
  const announced = await ben.seeMessage("changed Belay's setup");
  expect(announced.text).toContain('30 minutes → 45 minutes');
  expect(announced.text).not.toContain('Approvers');
});

test('an announcement waits for a Slack that fails', async () => {
  const { ben, cleo, slack, logged } = world();
  await cleo.close(await changeSetup(cleo, { channel: 'C0APPROVE2' }));
  const request = await requestSetup(cleo, { channel: 'C0OPS00001' });
  for (const method of ['chat.postMessage']) slack.failNext(method, 'internal_error');
  await ben.press(request, 'Approve');
  await ben.seeMessage('<#C0APPROVE2> → <#C0OPS00001>');
  await heardBack(cleo);
  expect(logged.join('\n')).not.toContain('harbor.example');
});
