import { expect, it } from 'vitest';
import { annotateAlert } from '../../../src/dataprotection/resources/change-alert.ts';
import { createPostedAlertUpdater } from '../../../src/features/watches/update-posted-alerts.ts';
import { createLogger } from '../../../src/logger.ts';
import { seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

it.each([0, 5])(
  'does not revert a note that was added after its page was read ahead, with %i pages delayed',
  async (maxHeldPages) => {
    const given = await openWatching('live', { pageSize: 10, timings: { maxHeldPages } });
    const { service, portal, polls, queued, now, tick } = given;
    const teamId = await given.connect();
    await given.setUp(teamId);
    const opened = await given.openService(teamId);
    if (!opened) throw new Error('not connected');
    const { client, connectionId } = opened;
    const poller = given.startPoller();
    const raise = (count: number) => {
      for (let index = 0; index < 60; index += 1) {
        const raised = { raised_count: count, raised_timestamp: seconds(1).toISOString() };
        const at = seconds(count * 100 + index);
        service.putAlert(portal.id, serviceAlert(`a${index}`, at, raised));
      }
    };
    raise(1);
    given.waitForNextPoll();
    await poller.poll.finish();
    queued.length = 0;

    raise(2);
    const changes = createPostedAlertUpdater({
      store: polls,
      clock: now,
      log: createLogger('fatal'),
    });
    const { recordPage } = polls;
    let recorded = 0;
    const before = service.requests.length;
    polls.recordPage = async (poll, page) => {
      tick();
      recorded += 1;
      if (recorded === Math.max(1, 4 - maxHeldPages)) {
        await expect.poll(() => service.requests.length - before).toBeGreaterThanOrEqual(5);
        const alert = await annotateAlert(client, 'a15', 'Ben is on it');
        tick();
        changes.update({ teamId, connectionId, alert });
        await changes.settled();
      }
      return recordPage(poll, page);
    };
    given.waitForNextPoll();
    await poller.poll.finish();
    const posted = queued.filter(({ subject }) => subject.endsWith(':a15'));
    expect(posted.flatMap(({ threadReply }) => threadReply?.text ?? [])).toEqual([
      'Note: “Ben is on it”',
    ]);
    expect(posted.at(-1)?.message.text).toContain('Ben is on it');
    expect(posted.at(-1)?.message.text).toContain('raised 2 times');
  },
);
