import { addMinutes } from 'date-fns/addMinutes';
import { describe, expect, it } from 'vitest';
import { buttonTexts } from '../../support/ask.ts';
import { startWatches } from './watch-stage.ts';

/** A channel with one watch, which was paused because Belay was removed. */
async function startPaused() {
  const given = await startWatches();
  const { ana, slack, deliver, watchesOfOps } = given;
  await ana.send('ops', '/belay watch severity:error');
  await ana.seeMessage('Watch added.');
  slack.failNext('chat.postMessage', 'not_in_channel');
  await deliver();
  expect(await watchesOfOps()).toMatchObject([{ pausedReason: expect.stringContaining('Invite') }]);
  return given;
}

describe('paused watches', () => {
  it('are resumed when somebody lists them', async () => {
    const { ana, raise, poll, watchesOfOps } = await startPaused();
    raise('away');
    await poll();
    await ana.send('ops', '/belay watch');
    await ana.seeMessage('1 paused watch resumed.');
    expect(await watchesOfOps()).toMatchObject([{ pausedReason: undefined }]);
    raise('back');
    await poll();
    await poll();
    await ana.seeMessage('volume back');
  });

  it('are resumed when somebody sets up the same watch again', async () => {
    const { ana, raise, poll, watchesOfOps, said } = await startPaused();
    raise('away');
    await poll();
    await ana.send('ops', '/belay watch severity:error');
    const answer = await ana.seeMessage('This channel already has a watch for ');
    expect(answer.text).toContain('1 paused watch resumed.');
    expect(await watchesOfOps()).toMatchObject([{ pausedReason: undefined }]);
    raise('back');
    await poll();
    await poll();
    await ana.seeMessage('volume back');
    expect(said().join()).not.toContain('volume away');
  });

  it('are resumed when somebody sets up another watch', async () => {
    const { ana, watchesOfOps } = await startPaused();
    await ana.send('ops', '/belay watch severity:warning');
    const answer = await ana.seeMessage('1 paused watch resumed.');
    expect(answer.text).toContain('Watch added.');
    const paused = (await watchesOfOps()).map(({ pausedReason }) => pausedReason);
    expect(paused).toEqual([undefined, undefined]);
  });

  it('still edit messages that were posted before the pause', async () => {
    const { ana, slack, raise, poll, said, watchesOfOps } = await startPaused();
    await ana.send('ops', '/belay watch');
    await ana.seeMessage('1 paused watch resumed.');
    raise('posted');
    await poll();
    await ana.seeMessage('volume posted');
    slack.failNext('chat.update', 'not_in_channel');
    raise('posted', { raised_count: 2 });
    await poll();
    expect(await watchesOfOps()).toMatchObject([{ pausedReason: expect.any(String) }]);

    await ana.send('ops', '/belay watch');
    await ana.see(
      () =>
        said()
          .filter((text) => text.includes('1 paused watch resumed.'))
          .at(1),
      'that the watch goes on again',
    );
    raise('posted', { status: 'cleared', cleared_timestamp: '2026-11-21T12:30:00Z' });
    await poll();
    await ana.seeMessage(/volume posted.*Cleared/s);
    expect(said().filter((text) => text.includes('volume posted'))).toHaveLength(1);
  });

  it('are listed with the reason while the service fails', async () => {
    const { ana, service, watchesOfOps } = await startPaused();
    service.setFault({ kind: 'status', status: 500 });
    await ana.send('ops', '/belay watch');
    const list = await ana.seeMessage('1 watch in this channel');
    expect(list.text).toContain(
      "Paused watches couldn't be resumed. The service returned a server",
    );
    expect(list.text).toContain('Paused: ');
    expect(buttonTexts(list)).toEqual(['Edit', 'End watch']);
    expect(await watchesOfOps()).toMatchObject([{ pausedReason: expect.any(String) }]);

    service.setFault(undefined);
    await ana.send('ops', '/belay watch');
    await ana.seeMessage('1 paused watch resumed.');
    expect(await watchesOfOps()).toMatchObject([{ pausedReason: undefined }]);
  });

  it('are listed with the reason in a workspace that is no longer connected', async () => {
    const { ana, world } = await startPaused();
    world.service = undefined;
    await ana.send('ops', '/belay watch');
    const list = await ana.seeMessage('1 watch in this channel');
    expect(list.text).toContain("Belay isn't connected to the data-protection service");
    expect(buttonTexts(list)).toEqual(['Edit', 'End watch']);
  });

  it("stay paused while Belay can't post in the channel", async () => {
    const { ana, slack, watchesOfOps } = await startPaused();
    slack.failNext('conversations.info', 'channel_not_found');
    await ana.send('ops', '/belay watch severity:error');
    await ana.seeMessage('/invite @Belay');
    expect(await watchesOfOps()).toMatchObject([{ pausedReason: expect.any(String) }]);
  });

  it("don't say what is still active of alerts that they held before the pause", async () => {
    const given = await startWatches();
    const { ana, clock, slack, raise, poll, seeQueued, watchesOfOps, advance, endHolds } = given;
    await ana.send('ops', '/belay watch all');
    await ana.seeMessage('Watch added.');
    await ana.send('ops', '/belay watch');
    await ana.press(await ana.seeMessage('1 watch in this channel'), 'Edit');
    const times = [0, 120].map((minutes) =>
      addMinutes(clock(), minutes).toISOString().slice(11, 16),
    );
    await ana.submit(await ana.seeDialog('Quiet hours'), {
      quietHours: { input: times.join('-') },
    });
    await seeQueued('changed a watch');
    raise('held', { severity: 'warning' });
    await poll();
    raise('posted');
    slack.failNext('chat.postMessage', 'not_in_channel');
    await poll();
    expect(await watchesOfOps()).toMatchObject([{ pausedReason: expect.any(String) }]);

    const at = addMinutes(clock(), 60).toISOString();
    advance(7 * 24 * 60 * 60_000);
    const cleared = { status: 'cleared', cleared_timestamp: at, updated_timestamp: at };
    raise('held', { severity: 'warning', ...cleared });
    await ana.send('ops', '/belay watch');
    await ana.seeMessage('1 paused watch resumed. Missed alerts: `/belay alerts since:8d`');
    await endHolds();
    const summary = await ana.seeMessage('*Quiet hours ended*');
    expect(summary.text).toContain('1 alert was held (warning: 1).');
    expect(summary.text).not.toContain('active');
    await ana.press(summary, 'View alerts');
    expect((await ana.seeMessage('1 held alert')).text).toContain('Cleared');
  });
});
