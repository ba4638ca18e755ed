import { describe, expect, it } from 'vitest';
import { type Alert, readAlert } from '../../../src/dataprotection/resources/alerts.ts';
import { annotateAlert, clearAlert } from '../../../src/dataprotection/resources/change-alert.ts';
import { createPostedAlertUpdater } from '../../../src/features/watches/update-posted-alerts.ts';
import { createLogger } from '../../../src/logger.ts';
import { seconds, serviceAlert, shareWatching, startedAt } from './poll-stage.ts';

const openWatching = shareWatching();

/** Two channels with a message about the alert `a1`, and one without. */
async function postOne() {
  const given = await openWatching('live');
  const { store, polls, portal, service, queued, now } = given;
  const teamId = await given.connect();
  const watch = await given.setUp(teamId);
  await given.setUp(teamId, 'severity:error', 'C2');
  await given.setUp(teamId, 'severity:warning', 'C3');
  const opened = await given.openService(teamId);
  if (!opened) throw new Error('not connected');
  const poller = given.startPoller();
  const poll = async () => {
    given.waitForNextPoll();
    await poller.poll.finish();
  };
  service.putAlert(portal.id, serviceAlert('a1', startedAt));
  await poll();
  expect(queued.map(({ to }) => to.channelId)).toEqual(['C1', 'C2']);
  queued.length = 0;

  const { client, connectionId } = opened;
  const changes = createPostedAlertUpdater({
    store: polls,
    clock: now,
    log: createLogger('fatal'),
  });
  const show = async (alert: Awaited<ReturnType<typeof readAlert>>) => {
    changes.update({ teamId, connectionId, alert });
    await changes.settled();
  };
  return { ...given, teamId, watch, store, poller, poll, client, show, changes };
}

describe('a change made in Belay', () => {
  it('updates the messages of the alert immediately, and not again at the next poll', async () => {
    const { client, show, poll, queued } = await postOne();
    await show(await annotateAlert(client, 'a1', 'Ben is on it'));
    await show(await clearAlert(client, 'a1'));
    for (const channelId of ['C1', 'C2']) {
      const posted = queued.filter(({ to }) => to.channelId === channelId);
      expect(posted).toMatchObject([
        {
          subject: expect.stringMatching(/:a1$/),
          message: { text: expect.stringContaining('Note: “Ben is on it”') },
          threadReply: { text: 'Note: “Ben is on it”' },
        },
        { threadReply: { text: expect.stringMatching(/^:white_check_mark: Cleared /) } },
      ]);
    }
    expect(queued).toHaveLength(4);
    await poll();
    await poll();
    expect(queued).toHaveLength(4);
  });

  it('shows the person who made it, and nobody for changes from the portal', async () => {
    const { client, changes, teamId, watch, queued } = await postOne();
    const { connectionId } = watch;
    const show = async (what: 'noted' | 'cleared', alert: Alert) => {
      changes.update({ teamId, connectionId, alert, change: { by: 'U_BEN', what } });
      await changes.settled();
    };
    for (const text of ['On it', '']) await show('noted', await annotateAlert(client, 'a1', text));
    await annotateAlert(client, 'a1', 'Set in the portal');
    await show('cleared', await clearAlert(client, 'a1'));
    const posted = queued.filter(({ to }) => to.channelId === 'C1');
    expect(posted.map(({ threadReply }) => threadReply?.text)).toEqual([
      'Note by <@U_BEN>: “On it”',
      'Note removed by <@U_BEN>',
      expect.stringMatching(
        /^Note: “Set in the portal”\n:white_check_mark: Cleared by <@U_BEN> · <!date/,
      ),
    ]);
  });

  it('is not reverted by a poll that was running when it was made', async () => {
    const given = await postOne();
    const { client, show, poller, polls, queued, service, portal } = given;
    const before = await readAlert(client, 'a1');
    given.onRequest(async () => {
      given.onRequest(() => undefined);
      await annotateAlert(client, 'a1', 'Ben is on it');
    });
    const raised_timestamp = startedAt.toISOString();
    service.putAlert(portal.id, serviceAlert('a1', seconds(2), { raised_timestamp }));
    const { recordPage } = polls;
    polls.recordPage = async (poll, page) => {
      const [read] = page.alerts;
      // The page as it was before the note.
      const alerts = read ? [{ ...read, alert: { ...read.alert, notes: before.notes } }] : [];
      given.tick();
      await show(await readAlert(client, 'a1'));
      return recordPage(poll, { ...page, alerts });
    };
    given.waitForNextPoll();
    await poller.poll.finish();
    expect(queued.map(({ threadReply }) => threadReply?.text)).toEqual([
      'Note: “Ben is on it”',
      'Note: “Ben is on it”',
    ]);
  });

  it('updates nothing for another connection or an ended watch', async () => {
    const { client, show, store, watch, queued, changes, teamId, connect } = await postOne();
    const noted = await annotateAlert(client, 'a1', 'Ben is on it');
    changes.update({ teamId, connectionId: watch.id, alert: noted });
    await changes.settled();
    const other = { teamId: await connect(), connectionId: watch.connectionId, alert: noted };
    changes.update(other);
    await changes.settled();
    expect(queued).toEqual([]);
    await store.end({ teamId, id: watch.id, by: 'U_ANA', at: seconds(9) });
    await show(noted);
    expect(queued.map(({ to }) => to.channelId)).toEqual(['C1', 'C2']);
    expect(queued[0]?.message.text).toContain('ended a watch in this channel');
  });

  it('does not throw if the database fails', async () => {
    const { client, changes, teamId, watch } = await postOne();
    const alert = await readAlert(client, 'a1');
    changes.update({ teamId, connectionId: 'no id that a database takes', alert });
    await changes.settled();
    changes.update({ teamId, connectionId: watch.connectionId, alert });
    await changes.settled();
  });
});
