import { describe, expect, test } from 'vitest';
import type { OpenView } from '../../../../playground/slack/protocol.ts';
import { aReason, buttonTexts, heardBack, messagesOf, seeAgain } from '../../../support/ask.ts';
import { submitRaw } from '../../../support/raw-request.ts';
import { shareWorld } from '../../../support/world.ts';
import { addressesOf, requestBulk, reviewBulk, someUsers } from './request-bulk.ts';

describe.each(['documented', 'live'] as const)('%s dialect', (dialect) => {
  const world = shareWorld({ dialect });
  const shown = (blocks: unknown) => JSON.stringify(blocks);
  const stateOf = (id: string) => world().service.user(world().portal.id, id)?.is_enabled;

  test('one approval disables several users, and the message shows each result', async () => {
    const { ana, ben, service, slack } = world();
    const users = someUsers(world(), 3);
    const request = await requestBulk(world(), 'disable', users);
    expect(request.text).toContain('requests approval to disable *3 users*');
    for (const { email, id } of users) {
      expect(shown(request.blocks)).toContain(email);
      expect(shown(request.blocks)).toContain(`\`${id}\``);
    }
    expect(shown(request.blocks)).toContain(aReason);
    expect(shown(request.blocks).match(/✓ Requester isn't this user/g)).toHaveLength(1);

    await ben.press(request, 'Approve');
    const done = await seeAgain(ana, request, 'Completed');
    expect(done.text).toContain('3 disabled');
    const table = done.blocks?.find(({ type }) => type === 'table');
    expect(shown(table).match(/"Disabled"/g)).toHaveLength(3);
    expect((await heardBack(ana)).text).toContain('3 disabled');
    for (const { id } of users) expect(stateOf(id)).toBe(false);
    const writes = service.requests.filter(({ method }) => method !== 'GET');
    expect(writes).toHaveLength(3);
    // One message to the requester, however many users.
    expect(messagesOf(ana).filter(({ text }) => text.includes('Your request to'))).toHaveLength(1);
    // At the decision and at the end, or once more in between, but not for each of seven changes.
    const updates = slack.calls.filter(
      (call) => call.method === 'chat.update' && call.arguments.ts === request.messageTs,
    );
    expect(updates.length).toBeLessThanOrEqual(3);
  });

  test("users who can't be included are listed, and the others can be requested", async () => {
    const { ana } = world();
    const [first, second] = someUsers(world(), 2);
    const text = [
      `${first?.email}, "Somebody" <${second?.email}>`,
      ` ${first?.email.toUpperCase()} ${first?.id}`,
      'nobody@example.com, mariana.costa@example.com; 999999999',
      'ana@harbor.example',
    ].join('\n');
    await ana.send('ops', '/belay bulk disable');
    const form = await ana.seeDialog('Enter or paste');
    await ana.submit(form, { users: { input: text } });
    const problems = await ana.seeDialog("can't be included");
    const words = shown(problems.blocks);
    expect(words).toContain('“nobody@example.com”: No user has this email address.');
    expect(words).toContain('“999999999”: No user has this ID.');
    expect(words).toContain('Already disabled.');
    // Nothing is lost.
    expect(words).toContain(JSON.stringify(text).slice(1, -1));
    const [proceed = ''] = buttonTexts(problems);
    expect(proceed).toMatch(/^Continue without these \d$/);
    await ana.press(problems, proceed, { users: { input: text } });
    const review = await ana.seeDialog('Visible to everyone who can see');
    expect(shown(review.blocks)).toContain('*2 users*');
    expect(shown(review.blocks)).toContain(first?.email);
    await ana.close(review);
  });

  test("a list stays in the form when its users can't be looked up", async () => {
    const { ana, service, logged } = world();
    const [user] = someUsers(world(), 1);
    const filler = Array.from({ length: 40 }, (_, index) => `a-long-name-of-somebody-${index}`);
    const text = [...filler, 'nobody@example.com', user?.email].join('\n');
    const outage = { kind: 'status', status: 500 } as const;
    const expectKept = (view: OpenView) => {
      expect(shown(view.blocks)).toContain(JSON.stringify(text).slice(1, -1));
      const reference = /Reference ([0-9a-f]{8})/.exec(shown(view.blocks))?.[1] ?? 'none';
      expect(logged.join()).toContain(reference);
    };
    await ana.send('ops', '/belay bulk disable');
    const form = await ana.seeDialog('Enter or paste');
    service.setFault(outage);
    await ana.submit(form, { users: { input: text } });
    const failed = await ana.seeDialog('⚠ The service returned a server error.');
    expectKept(failed);

    service.setFault(undefined);
    await ana.submit(failed, { users: { input: text } });
    const problems = await ana.seeDialog("can't be included");
    const [proceed = ''] = buttonTexts(problems);
    service.setFault(outage);
    await ana.press(problems, proceed, { users: { input: text } });
    expectKept(await ana.seeDialog('⚠ The service returned a server error.'));
  });

  test('a submission reads its users by id, even if an id is the name of another user', async () => {
    const { ana } = world();
    const [shownUser, other] = someUsers(world(), 2);
    const form = await reviewBulk(world(), 'disable', shownUser?.email ?? '');
    const sent = await submitRaw(world(), {
      slackUserId: ana.slackUserId,
      form,
      metadata: { verb: 'disable', channelId: 'C0OPS00001', ids: [other?.full_name] },
      state: { reason: { input: { type: 'plain_text_input', value: aReason } } },
    });
    expect(sent.status).toBe(200);
    const refused = await ana.seeMessage('these users can no longer be included');
    expect(refused.text).toContain(`\`${other?.full_name}\`: No user has this ID.`);
    await ana.close(form);
  });

  test('a denied request ends all of its users', async () => {
    const { ana, ben, service } = world();
    const request = await requestBulk(world(), 'disable', someUsers(world(), 2));
    await ben.press(request, 'Deny');
    const form = await ben.seeDialog('Deny request');
    await ben.submit(form, { reason: { input: 'Not these' } });
    expect((await seeAgain(ana, request, 'Denied')).text).toContain('Nothing was changed.');
    await heardBack(ana);
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('the addresses of a command open the form for all of them', async () => {
    const { ana } = world();
    const users = someUsers(world(), 2);
    await ana.send('ops', `/belay disable ${users.map(({ email }) => email).join(', ')}`);
    const review = await ana.seeDialog('Visible to everyone who can see');
    expect(shown(review.blocks)).toContain('*2 users*');
    await ana.close(review);
    const again = await reviewBulk(world(), 'disable', addressesOf(users));
    await ana.close(again);
  });

  test('a deletion is confirmed with the number of users, and one button cancels the rest', async () => {
    const { ana, ben, service, portal } = world();
    const users = someUsers(world(), 3);
    const review = await reviewBulk(world(), 'delete', addressesOf(users));
    expect(shown(review.blocks)).toContain('the users are disabled immediately and deleted after');
    await ana.submit(review, { reason: { input: aReason }, count: { input: '2' } });
    const open = await ana.seeDialog('Enter exactly 3.');
    await ana.submit(open, { count: { input: '3' } });
    const request = await ana.seeMessage('requests approval to delete *3 users*');
    await ben.press(request, 'Approve');
    const scheduled = await seeAgain(ana, request, '3 scheduled');
    expect(scheduled.text).toContain('unless canceled');
    expect(buttonTexts(scheduled)).toEqual(['Cancel deletion']);
    for (const { id } of users) expect(stateOf(id)).toBe(false);

    await ben.press(scheduled, 'Cancel deletion');
    const kept = await seeAgain(ana, request, 'Canceled:');
    expect(kept.text).toContain('3 canceled');
    expect(shown(kept.blocks).match(/Deletion canceled/g)).toHaveLength(3);
    for (const { id } of users) expect(service.user(portal.id, id)?.is_enabled).toBe(true);
    await ana.see(() =>
      messagesOf(ana).find(
        ({ text }) => text.includes('Your request to') && text.includes('3 canceled'),
      ),
    );
  });

  test('a request that exceeds the hourly limit is refused before anything is posted', async () => {
    const { ana } = world();
    await ana.send('ops', '/belay bulk disable');
    const form = await ana.seeDialog('Enter or paste');
    await ana.submit(form, { users: { input: addressesOf(someUsers(world(), 12)) } });
    const refused = await ana.seeDialog('Too many users');
    expect(shown(refused.blocks)).toMatch(
      /at most 10 users per hour in this workspace\. \d+ more users are possible right now, and this request adds \d+\. Remove \d+/,
    );
    expect(buttonTexts(refused)).toEqual([]);
    expect(messagesOf(ana)).toEqual([]);
    await ana.close(refused);
  });
});
