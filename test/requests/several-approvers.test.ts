import { beforeEach, expect, test } from 'vitest';
import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import { buttonTexts, heardBack, seeAgain, withdraw } from '../support/ask.ts';
import { clickRaw, openAnswerBox } from '../support/raw-request.ts';
import { changeSetup } from '../support/set-up.ts';
import { approveStored } from './approved-by.ts';
import { requestForSeveral } from './request-for-several.ts';
import { logOf, shareWorldWithDatabase } from './world-with-database.ts';

let ahead = 0;
const { world, db } = shareWorldWithDatabase({ clock: () => new Date(Date.now() + ahead) });
const [ben, cleo, gus] = [people.ben, people.cleo, people.gus].map((id) => `<@${id}>`);
const joana = 'joana.prado@example.com';

beforeEach(async () => {
  ahead = 0;
  const { cleo: admin, slack } = world();
  slack.setPerson(people.gus, { isGuest: false, email: 'gus@harbor.example' });
  slack.setPerson(people.ben, { isDeactivated: false, email: 'ben@harbor.example' });
  const approvers = [people.ben, people.cleo, people.gus];
  await admin.close(await changeSetup(admin, { approvers }));
});

/** Ana's request to disable a user, which two people have to approve, as the channel sees it. */
async function askForTwo(requester = world().ana): Promise<Message> {
  const reply = await requestForSeveral(world(), db(), { requester, email: joana });
  expect(reply.text).toContain('2 approvals are needed.');
  return requester.seeMessage('Waiting for 2 approvals.');
}

function writes() {
  return world().service.requests.filter(({ method }) => method !== 'GET');
}

const blocksOf = (message: Message) => JSON.stringify(message.blocks);

test('two different people approve, and everybody sees it grow', async () => {
  const request = await askForTwo();
  expect(blocksOf(request)).toContain(`Needs 2 approvals from ${ben}, ${cleo} or ${gus} · Expires`);
  await world().ben.press(request, 'Approve');
  const half = await seeAgain(world().ana, request, `Approved by ${ben}, 1 of 2 approvals.`);
  expect(blocksOf(half)).toContain(`✅ Approved by ${ben}, 1 of 2 approvals.`);
  expect(blocksOf(half)).toContain(`Needs 1 more approval from ${cleo} or ${gus} · Expires`);
  expect(buttonTexts(half)).toContain('Approve');
  const copy = await heardBack(world().ana);
  expect(copy.text).toContain(`✅ Approved by ${ben}, 1 of 2 approvals.`);
  expect(blocksOf(copy)).toContain(`Needs 1 more approval from ${cleo} or ${gus} · Expires`);
  expect(writes()).toEqual([]);

  await world().gus.press(half, 'Approve');
  const done = await seeAgain(world().ana, request, 'is disabled.');
  expect(done.text).toContain(`Approved by ${ben} and ${gus}`);
  await seeAgain(world().ana, copy, 'is disabled.');
  expect(writes()).toHaveLength(1);
  expect(await logOf(db(), request)).toEqual([
    `requested ${people.ana}`,
    `approved ${people.ben}`,
    `approved ${people.gus}`,
    'started belay',
    'completed belay',
  ]);
  const admin = world().cleo;
  await admin.send('ops', '/belay audit');
  const log = await admin.seeMessage('(1 of 2 approvals)');
  expect(log.text).toContain('(2 of 2 approvals)');
});

/** A request that Ben has approved; resolves to the request and Ana's copy. */
async function halfApproved(): Promise<{ half: Message; copy: Message }> {
  await world().ben.press(await askForTwo(), 'Approve');
  const copy = await heardBack(world().ana);
  return { half: await world().ana.seeMessage(/requests approval .*1 of 2 approvals/), copy };
}

/** A click that is answered with these words alone, and counts for nothing. */
async function expectRefused(who: 'ben' | 'gus', on: Message, words: string): Promise<void> {
  const { url: responseUrl, answer } = await openAnswerBox();
  await clickRaw(world(), { slackUserId: people[who], on, button: 'Approve', responseUrl });
  expect(await answer).toContain(words);
  expect(await answer).toContain('ephemeral');
  await seeAgain(world().ana, on, '1 of 2 approvals');
  expect(writes()).toEqual([]);
}

test('one person approves once, also with another account of the same mailbox', async () => {
  const { half } = await halfApproved();
  const needed = 'One more approver is needed.';
  await expectRefused('ben', half, `You already approved this request. ${needed}`);
  const { slack } = world();
  const same = `${ben} and ${gus} have the same mailbox, so they count as one person. ${needed}`;
  slack.setPerson(people.gus, { email: 'Ben+second@harbor.example' });
  await expectRefused('gus', half, same);
  // Ben had that mailbox when he approved.
  slack.setPerson(people.ben, { email: 'elsewhere@harbor.example' });
  await expectRefused('gus', half, same);
  slack.setPerson(people.gus, { email: 'gus@harbor.example' });
  slack.setPerson(people.ben, { email: '' });
  const missing = (who: string | undefined) =>
    `Slack doesn't show Belay the email address of ${who}.`;
  await expectRefused('gus', half, missing(ben));
  slack.setPerson(people.ben, { email: 'ben@harbor.example' });
  slack.setPerson(people.gus, { email: '' });
  await expectRefused('gus', half, missing(gus));
  slack.setPerson(people.gus, { email: 'ana+approver@harbor.example' });
  await expectRefused('gus', half, 'have the same mailbox');
  const refusals = (await logOf(db(), half)).filter((entry) => entry.startsWith('refused'));
  expect(refusals).toEqual([
    `refused ${people.ben} already_approved`,
    `refused ${people.gus} already_approved`,
    `refused ${people.gus} already_approved`,
    `refused ${people.gus} address_missing`,
    `refused ${people.gus} approver_is_subject`,
    `refused ${people.gus} same_mailbox`,
  ]);
});

test('if all who are left have to approve, it says so', async () => {
  const { cleo: admin } = world();
  await admin.close(await changeSetup(admin, { approvers: [people.ben, people.cleo] }));
  const request = await askForTwo();
  expect(blocksOf(request)).toContain(`Needs 2 approvals from ${ben} and ${cleo} · Expires`);
});

test("an approver who can no longer decide doesn't count when the next one approves", async () => {
  const { half } = await halfApproved();
  world().slack.setPerson(people.ben, { isDeactivated: true, email: '' });
  await world().gus.press(half, 'Approve');
  const approved = `Approved by ${ben} and ${gus}, 1 of 2 approvals.`;
  const waiting = await seeAgain(world().ana, half, approved);
  expect(blocksOf(waiting)).toContain(`Not counted: ${ben} can no longer approve this request.`);
  expect(blocksOf(waiting)).toContain(`Needs 1 more approval from ${cleo} · Expires`);
  world().slack.setPerson(people.ben, { isDeactivated: false, email: 'ben@harbor.example' });
  await expectRefused('ben', half, 'your approval no longer counts. One more approver is needed.');
  await world().cleo.press(waiting, 'Approve');
  const done = await seeAgain(world().ana, half, 'is disabled.');
  expect(done.text).toContain(`Approved by ${gus} and ${cleo}`);
  expect(writes()).toHaveLength(1);
});

test('a request that no other approver can approve says so', async () => {
  const { cleo: admin, slack } = world();
  const approvers = [people.ben, people.gus];
  await admin.close(await changeSetup(admin, { approvers }));
  const { half } = await halfApproved();
  slack.setPerson(people.ben, { isDeactivated: true });
  await world().gus.press(half, 'Approve');
  const stuck = await seeAgain(world().ana, half, `Approved by ${ben} and ${gus}, 1 of 2`);
  expect(blocksOf(stuck)).toContain('No other approver can give it');
});

test.each(['ben', 'gus'] as const)(
  'a denial by %s ends a request that one person approved',
  async (who) => {
    const { half, copy } = await halfApproved();
    const denier = world()[who];
    await denier.press(half, 'Deny');
    await denier.submit(await denier.seeDialog('Visible to the requester.'), {
      reason: { input: 'Not yet' },
    });
    const denied = await seeAgain(world().ana, half, 'Denied: Nothing was changed.');
    expect(denied.text).toContain(`Denied by <@${people[who]}>`);
    expect(denied.text).toContain(`Approved by ${ben}, 1 of 2 approvals.`);
    await seeAgain(world().ana, copy, 'Denied: Nothing was changed.');
    expect(writes()).toEqual([]);
  },
);

test('a request that one person approved can be withdrawn', async () => {
  const { half, copy } = await halfApproved();
  await withdraw(world().ana, half);
  await seeAgain(world().ana, half, 'Withdrawn: Nothing was changed.');
  await seeAgain(world().ana, copy, 'Withdrawn: Nothing was changed.');
});

test('a request that too few people approved expires', async () => {
  const { half, copy } = await halfApproved();
  ahead = 9 * 60 * 60 * 1000;
  await world().belay.sweep();
  const expired = await seeAgain(world().ana, half, 'Not enough approvals arrived before');
  expect(expired.text).toContain('Nothing was changed.');
  expect(expired.text.match(/1 of 2 approvals/g)).toHaveLength(1);
  await seeAgain(world().ana, copy, 'Not enough approvals arrived before');
  expect(writes()).toEqual([]);
});

test('a lower number in setup does not lower that of a request', async () => {
  const request = await askForTwo();
  const admin = world().cleo;
  await admin.close(await changeSetup(admin, { weakeningApprovals: '1' }));
  await world().ben.press(request, 'Approve');
  await seeAgain(world().ana, request, '1 of 2 approvals');
  await admin.close(await changeSetup(admin, { weakeningApprovals: '2' }));
});

test('of ten clicks by three people at once two count, and the request runs once', async () => {
  const request = await askForTwo();
  const boxes = await Promise.all(Array.from({ length: 10 }, () => openAnswerBox()));
  const approvers = [people.ben, people.cleo, people.gus];
  await Promise.all(
    boxes.map(({ url: responseUrl }, index) => {
      const slackUserId = approvers[index % approvers.length] ?? '';
      return clickRaw(world(), { slackUserId, on: request, button: 'Approve', responseUrl });
    }),
  );
  await seeAgain(world().ana, request, 'is disabled.');
  await Promise.any(boxes.map(({ answer }) => answer));
  const approvals = (await logOf(db(), request)).filter((entry) => entry.startsWith('approved'));
  expect(new Set(approvals).size).toBe(2);
  expect(approvals).toHaveLength(2);
  expect(writes()).toHaveLength(1);
});

test.each([
  {
    what: 'the first approver is deactivated',
    changes: { isDeactivated: true },
    words: `${ben} is no longer allowed to decide.`,
  },
  {
    what: 'both approvers have one mailbox',
    changes: { email: 'gus+2@harbor.example' },
    words: `${ben} and ${gus} have the same mailbox`,
  },
])('a run stops if meanwhile $what', async ({ changes, words }) => {
  const { half } = await halfApproved();
  await approveStored(db(), half, [people.ben, people.gus], new Date());
  world().slack.setPerson(people.ben, changes);
  await world().belay.sweep();
  expect((await seeAgain(world().ana, half, "Couldn't ")).text).toContain(words);
  expect(writes()).toEqual([]);
});

test('a run stops if fewer people approved than the request needs', async () => {
  const request = await askForTwo();
  await approveStored(db(), request, [people.ben], new Date());
  await world().belay.sweep();
  await seeAgain(world().ana, request, 'Too few people have approved this request.');
  expect(writes()).toEqual([]);
});

test('the overview shows the approvals to those who can add one', async () => {
  await halfApproved();
  for (const [who, isShown] of [
    ['gus', true],
    ['ben', false],
  ] as const) {
    await world()[who].send('ops', '/belay');
    const overview = await world()[who].seeMessage('Overview');
    expect(overview.text.includes(' · 1 of 2 approvals')).toBe(isShown);
  }
});

test('a request is refused at once if too few people could approve it', async () => {
  const { ana, cleo: requester, slack } = world();
  const refused = async (by = ana) =>
    (await requestForSeveral(world(), db(), { requester: by, email: joana })).text;
  slack.setPerson(people.gus, { email: 'ben@harbor.example' });
  slack.setPerson(people.cleo, { email: '' });
  const few = await refused();
  expect(few).toContain(
    `because 2 people must approve this request, but only ${ben} can. Other approvers can't:`,
  );
  expect(few).toContain(`• ${ben} and ${gus} have the same mailbox`);
  expect(few).toContain(`• Slack doesn't show Belay the email address of ${cleo}`);
  slack.setPerson(people.cleo, { email: 'cleo@harbor.example' });
  expect(await refused()).toContain('Request sent to');
  expect(await refused(requester)).toContain(`• ${cleo} is the requester.`);
});
