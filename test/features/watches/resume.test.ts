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
});
