import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../playground/act-as.ts';
import { people } from '../../../playground/people.ts';
import { readAlert } from '../../../src/dataprotection/resources/alerts.ts';
import { addHours, addSeconds } from '../../../src/dates.ts';
import type { AlertStateChange } from '../../../src/features/alerts/index.ts';
import { buttonTexts, messagesOf, seeAgain } from '../../support/ask.ts';
import { seconds } from './poll-stage.ts';
import { startWatches, teamId } from './watch-stage.ts';

/** Watches everything in #ops and #random, and raises one alert. */
async function startOwning(options: Parameters<typeof startWatches>[0] = {}) {
  const stage = await startWatches(options);
  const { ana, raise, poll } = stage;
  for (const [index, channel] of ['ops', 'random'].entries()) {
    await ana.send(channel, '/belay watch all');
    await ana.see(
      () => messagesOf(ana).filter(({ text }) => text.includes('Watch added.'))[index],
      'that the watch was added',
    );
  }
  raise('a1');
  await poll();
  await poll();
  const copies = messagesOf(ana).filter(({ text }) => text.includes('volume a1'));
  expect(copies).toHaveLength(2);
  const [posted] = copies;
  if (!posted) throw new Error('The alert was not posted.');
  return {
    ...stage,
    posted,
    fail: () => stage.service.setFault({ kind: 'status', status: 503 }),
    rows: () => stage.db.selectFrom('alert_state').selectAll().execute(),
    /** The first part of a click, as if the process ended after it. */
    store: (change: AlertStateChange) =>
      stage.changeState({
        teamId,
        connectionId: stage.connectionId,
        originId: stage.connectionId,
        alert: { id: 'a1', title: 'volume a1 · Policy violated: Backup failed' },
        change,
        changedAt: stage.clock(),
        at: stage.clock(),
        createEntry: (title) => ({
          teamId,
          at: stage.clock(),
          event: 'alert_acknowledged',
          actor: people.ben,
          action: 'alerts.own',
          subjectId: 'a1',
          facts: {},
          personal: { subject: title, summary: title },
        }),
        directMessage: undefined,
      }),
  };
}

function copiesOf(person: Actor) {
  return messagesOf(person).filter(
    ({ text, channelId }) => text.includes('volume a1') && channelId.startsWith('C'),
  );
}

describe('the owner of an alert', () => {
  it('is who acknowledges it first, in one click, and is shown on every copy', async () => {
    const { ana, ben, posted, seeEdited, deliver } = await startOwning();
    expect(buttonTexts(posted)).toEqual(['Acknowledge', 'View details']);
    await ben.press(posted, 'Acknowledge');
    await ben.seeMessage('You now own this alert');
    // Only the outbox edits it, so that no answer puts an older state over a newer one.
    const unedited = messagesOf(ana).find(({ messageTs }) => messageTs === posted.messageTs);
    expect(unedited?.text).toBe(posted.text);
    const shown = await seeEdited(ana, posted, `Owner: <@${people.ben}> since `);
    expect(buttonTexts(shown)).toEqual(['View details']);
    await deliver();
    await deliver();
    for (const { text } of copiesOf(ana)) expect(text).toContain(`Owner: <@${people.ben}>`);
    await ana.press(posted, 'Acknowledge');
    await ana.seeMessage(`<@${people.ben}> already owns this alert (since `);
  });

  it('is one, however many click at once', async () => {
    const { ana, ben, cleo, posted, seeEdited } = await startOwning();
    await Promise.all([ana, ben, cleo, ana, ben].map((one) => one.press(posted, 'Acknowledge')));
    const shown = await seeEdited(ana, posted, 'Owner: ');
    const [, owner] = /Owner: <@(\w+)>/.exec(shown.text) ?? [];
    for (const [id, one] of Object.entries({ ana, ben, cleo })) {
      if (people[id as 'ana'] !== owner)
        await one.seeMessage(`<@${owner}> already owns this alert`);
    }
  });

  it('is mentioned in the thread when it is raised again or gets worse', async () => {
    const { ben, posted, seeEdited, raise, poll, deliver } = await startOwning();
    await ben.press(posted, 'Acknowledge');
    await seeEdited(ben, posted, 'Owner: ');
    await deliver();
    const again = { raised_count: 2, severity: 'warning' };
    raise('a1', { ...again, updated_timestamp: seconds(600).toISOString() });
    await poll();
    await poll();
    const reply = await ben.seeMessage(`<@${people.ben}> is the owner of this alert.`);
    expect(reply.text).toContain('Raised again, 2 times so far');
    expect(reply.threadTs).toBeDefined();
    await seeAgain(ben, posted, 'raised again since');
    raise('a1', {
      raised_count: 2,
      severity: 'error',
      updated_timestamp: seconds(900).toISOString(),
    });
    await poll();
    await poll();
    const replies = messagesOf(ben).filter(({ text }) =>
      text.includes('is the owner of this alert'),
    );
    expect(replies.at(-1)?.text).toContain('Severity changed from warning to error');
  });

  it('is nobody anymore once the alert is cleared', async () => {
    const { ben, posted, seeEdited, raise, poll, deliver } = await startOwning();
    await ben.press(posted, 'Acknowledge');
    await seeEdited(ben, posted, 'Owner: ');
    await deliver();
    const cleared = { status: 'cleared', cleared_timestamp: seconds(600).toISOString() };
    raise('a1', { ...cleared, updated_timestamp: seconds(600).toISOString() });
    await poll();
    await poll();
    const gone = await seeAgain(ben, posted, 'Cleared');
    expect(gone.text).not.toContain('Owner: ');
    raise('a1', { raised_count: 2, updated_timestamp: seconds(1200).toISOString() });
    await poll();
    await poll();
    const again = await seeAgain(ben, posted, 'raised 2 times');
    expect(again.text).not.toContain('Owner: ');
    expect(buttonTexts(again)).toEqual(['Acknowledge', 'View details']);
  });

  it('can be another person, who gets a direct message; approvers can release the alert', async () => {
    const { ana, ben, cleo, posted, deliver } = await startOwning();
    await ana.press(posted, 'View details');
    await ana.press(await ana.seeDialog('Alert ID'), 'Assign…');
    const form = await ana.seeDialog('Belay sends them a direct message.');
    await ana.submit(form, { person: { input: people.gus } });
    await ana.seeMessage(`<@${people.gus}> can't use Belay in this workspace.`);
    await ana.press(posted, 'View details');
    await ana.press(await ana.seeDialog('Alert ID'), 'Assign…');
    const second = await ana.seeDialog('Belay sends them a direct message.');
    await ana.submit(second, { person: { input: people.cleo } });
    await ana.seeMessage(`<@${people.cleo}> now owns this alert`);
    await deliver();
    const message = await cleo.seeMessage(`<@${people.ana}> assigned an alert to you.`);
    await cleo.press(message, 'View details');
    expect(buttonTexts(await cleo.seeDialog('Alert ID'))).toContain('Release');

    await ana.press(posted, 'View details');
    expect(buttonTexts(await ana.seeDialog('Alert ID'))).not.toContain('Release');
    await ben.press(posted, 'View details');
    await ben.press(await ben.seeDialog('Alert ID'), 'Release');
    const details = await ben.seeDialog('Acknowledge');
    expect(buttonTexts(details)).toContain('Acknowledge');
    await ben.press(details, 'Acknowledge');
    await ben.seeDialog(`Owner: <@${people.ben}>`);
  });

  it('is shown in lists, which have a menu to acknowledge what nobody owns', async () => {
    const { ana, ben, posted } = await startOwning({ dialect: 'documented' });
    await ana.send('ops', '/belay alerts "volume a1"');
    const list = await ana.seeMessage('1 active: ');
    await ana.press(list, 'volume a1 · Policy violated: Backup failed');
    await ana.seeMessage('You now own this alert');
    await ana.send('ops', '/belay alerts "volume a1"');
    const owned = await ana.seeMessage(`Owner: <@${people.ana}>`);
    expect(JSON.stringify(owned.blocks)).not.toContain('Acknowledge…');
    await ben.press(posted, 'Acknowledge');
    await ben.seeMessage('already owns this alert');
  });
});

describe('while the service is down', () => {
  const unread = "Belay couldn't read the alert from the service";

  it('an alert is acknowledged, and every copy shows the owner once the service is back', async () => {
    const { ana, ben, cleo, posted, fail, rows, logged, clock, service, updateStates } =
      await startOwning();
    fail();
    await ben.press(posted, 'Acknowledge');
    const answer = await ben.seeMessage('You now own this alert: *volume a1 · Policy violated');
    expect(answer.text).toContain(unread);
    expect(await logged()).toEqual(['alert_acknowledged']);
    const asked = service.requests.length;
    await cleo.press(posted, 'Acknowledge');
    const lost = await cleo.seeMessage(`<@${people.ben}> already owns this alert`);
    expect(lost.text).toContain('volume a1');
    expect(service.requests).toHaveLength(asked);

    await updateStates(addSeconds(clock(), 60));
    for (const { text } of copiesOf(ana)) expect(text).not.toContain('Owner: ');
    service.setFault(undefined);
    await updateStates(addSeconds(clock(), 60));
    for (const { text } of copiesOf(ana)) expect(text).toContain(`Owner: <@${people.ben}>`);
    expect(await rows()).toMatchObject([
      { owner: people.ben, severity: 'error', raised_count: 1, refresh_at: null },
    ]);
    expect((await rows())[0]?.raised_at).not.toBeNull();
  });

  it('an alert is released, and its snooze ended', async () => {
    const { ana, ben, posted, seeEdited, fail, rows, clock, service, deliver, updateStates } =
      await startOwning();
    await ben.press(posted, 'Acknowledge');
    await ben.press(await seeEdited(ben, posted, 'Owner: '), '1 hour');
    await ben.seeMessage('You snoozed this alert until ');
    await deliver();
    await deliver();
    const snoozed = await seeAgain(ben, posted, 'Snoozed until ');
    await ben.press(snoozed, 'View details');
    const details = await ben.seeDialog('Alert ID');
    fail();
    await ana.press(snoozed, 'End snooze');
    const ended = await ana.seeMessage('The snooze of this alert has ended: *volume a1');
    expect(ended.text).toContain(unread);
    await ben.press(details, 'Release');
    await ben.seeDialog('This alert no longer has an owner: *volume a1');
    service.setFault(undefined);
    await updateStates(addSeconds(clock(), 15));
    for (const { text } of copiesOf(ana)) expect(text).not.toMatch(/Owner: |Snoozed until/);
    expect(await rows()).toEqual([]);
  });

  it('an alert of a list is acknowledged with the name that it has there', async () => {
    const { ana, ben, posted, fail } = await startOwning({ dialect: 'documented' });
    await ana.send('ops', '/belay alerts "volume a1"');
    const list = await ana.seeMessage('1 active: ');
    fail();
    await ana.press(list, 'volume a1 · Policy violated: Backup failed');
    await ana.seeMessage('You now own this alert: *volume a1 · Policy violated');
    await ben.press(posted, 'Acknowledge');
    await ben.seeMessage('already owns this alert');
  });

  it('an alert is neither assigned nor snoozed', async () => {
    const { ben, posted, fail, rows } = await startOwning();
    fail();
    await ben.press(posted, '1 hour');
    await ben.seeMessage('It broke.');
    expect(await rows()).toEqual([]);
  });
});

describe('an acknowledged alert', () => {
  it('that was cleared meanwhile has no owner', async () => {
    const { ana, ben, posted, raise, rows, deliver } = await startOwning();
    const cleared = { status: 'cleared', cleared_timestamp: seconds(600).toISOString() };
    raise('a1', { ...cleared, updated_timestamp: seconds(600).toISOString() });
    await ben.press(posted, 'Acknowledge');
    await ben.seeMessage('This alert was already cleared: ');
    expect(await rows()).toEqual([]);
    await deliver();
    await deliver();
    for (const { text } of copiesOf(ana)) expect(text).toContain('Cleared');
  });

  it('that the service no longer has is forgotten', async () => {
    const { ben, posted, rows, service } = await startOwning();
    service.setFault({ kind: 'status', status: 404 }, { pathPrefix: '/alerts/individual/a1' });
    await ben.press(posted, 'Acknowledge');
    await ben.seeMessage('This alert no longer exists.');
    expect(await rows()).toEqual([]);
  });

  it('shows its owner although the process ended that stored it', async () => {
    const { ana, rows, store, clock, updateStates } = await startOwning();
    expect(await store({ what: 'acknowledge', to: people.ben })).toMatchObject({ isChanged: true });
    await updateStates(addSeconds(clock(), 14));
    for (const { text } of copiesOf(ana)) expect(text).not.toContain('Owner: ');
    const edits = messagesOf(ana).length;
    await updateStates(addSeconds(clock(), 15));
    for (const { text } of copiesOf(ana)) expect(text).toContain(`Owner: <@${people.ben}>`);
    expect(messagesOf(ana)).toHaveLength(edits);
    expect(await rows()).toMatchObject([{ refresh_at: null, raised_count: 1 }]);
  });

  it('is read again if its messages show a later reading', async () => {
    const { ana, raise, rows, poll, store, showState, clock, world, connectionId, updateStates } =
      await startOwning();
    if (!world.service) throw new Error('There is no service.');
    const readAt = clock();
    const alert = await readAlert(world.service.client, 'a1');
    await store({ what: 'acknowledge', to: people.ben });
    raise('a1', { notes: 'Disk is full', updated_timestamp: seconds(600).toISOString() });
    await poll();
    const on = { teamId, connectionId, originId: connectionId };
    const shown = await showState({ ...on, alert, readAt, at: clock() });
    expect(shown).toMatchObject({
      isOutdated: true,
      state: { owner: { slackUserId: people.ben } },
    });
    expect((await rows())[0]?.refresh_at).not.toBeNull();
    await updateStates(addHours(clock(), 1));
    for (const { text } of copiesOf(ana)) {
      expect(text).toContain(`Owner: <@${people.ben}>`);
      expect(text).toContain('Disk is full');
    }
    expect((await rows())[0]?.refresh_at).toBeNull();
  });
});
