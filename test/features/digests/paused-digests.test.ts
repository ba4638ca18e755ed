import { describe, expect, it } from 'vitest';
import { describeDigests } from '../../../src/features/digests/index.ts';
import { opsChannelId } from '../../slack/interactions/listening.ts';
import { firstOfPeriod, startDigests, teamId, thursdayText } from './start-digests.ts';

/** A channel from which Belay was removed, so that Friday's digest, with an alert, was not posted. */
async function startPaused() {
  const stage = await startDigests();
  const { ana, store } = stage;
  const digest = await stage.addDigest({ parts: ['new'] });
  stage.raise({ id: 'friday', severity: 'error', name: 'vm-77', ...firstOfPeriod });
  stage.setInOps(false);
  await stage.run();
  expect(stage.posted()).toEqual([]);
  const list = () => store.list({ teamId, channelId: opsChannelId });
  expect(await list()).toMatchObject([
    { pausedReason: expect.stringContaining('Invite Belay, then run this command again.') },
  ]);
  stage.at('2026-03-09T12:00:00Z');
  const look = async () => {
    await ana.send('ops', '/belay digest');
    return ana.seeMessage('1 digest in this channel');
  };
  return { ...stage, digest, list, look };
}

describe('a paused digest', () => {
  it('is reported to its creator, and no longer calls the service', async () => {
    const { ana, service, run } = await startPaused();
    const { text } = await ana.seeMessage("Belay can't post in <#");
    expect(text).toContain(
      "1 message for this channel wasn't delivered.\nYour digest in this channel is paused.",
    );
    expect(text).toContain('then `/belay digest`');
    expect(text).not.toContain('watch');
    const before = service.requests.length;
    expect(await run()).toBe(0);
    expect(service.requests).toHaveLength(before);
  });

  it('resumes when somebody lists digests, and covers the time since the last posted digest', async () => {
    const { look, list, run, at, posted, setInOps } = await startPaused();
    setInOps(true);
    const seen = await look();
    expect(seen.text).toContain('1 paused digest resumed.');
    expect(JSON.stringify(seen.blocks)).not.toContain('*Paused*');
    const nextRunAt = new Date('2026-03-10T08:00:00Z');
    expect(await list()).toMatchObject([{ pausedReason: undefined, nextRunAt }]);
    expect(await run()).toBe(0);
    at(nextRunAt);
    expect(await run()).toBe(1);
    const [message] = posted();
    expect(message?.text.startsWith(`Digest · since ${thursdayText}`)).toBe(true);
    expect(message?.text).not.toContain('Late');
    expect(JSON.stringify(message?.blocks)).toContain('vm-77');
  });

  it("stays paused, with the reason, while Belay can't post there", async () => {
    const { look, list } = await startPaused();
    const seen = await look();
    expect(JSON.stringify(seen.blocks)).toContain("*Paused*: Belay couldn't post in this channel.");
    expect(JSON.stringify(seen.blocks)).not.toContain('next: ');
    expect(seen.text).not.toContain('resumed');
    expect(await list()).toMatchObject([{ pausedReason: expect.any(String) }]);
  });

  it('is paused in the overview, and has no next time there', async () => {
    const { store } = await startPaused();
    const overview = await describeDigests({ teamId, channelId: opsChannelId }, { store });
    expect(JSON.stringify(overview)).toContain('*Digest in this channel* · Every day at');
    expect(JSON.stringify(overview)).toContain(' (1 paused)"');
    expect(JSON.stringify(overview)).not.toContain('next');
  });

  it('resumes when somebody creates another digest there', async () => {
    const { ana, list, setInOps } = await startPaused();
    setInOps(true);
    await ana.send('ops', '/belay digest new');
    await ana.submit(await ana.seeDialog('Time zone'), { parts: { input: ['approvals'] } });
    await ana.submit(await ana.seeDialog('This digest, if posted now'), {});
    const saved = await ana.seeMessage('Digest saved: ');
    expect(saved.text).toContain('1 paused digest resumed.');
    const paused = (await list()).map(({ pausedReason }) => pausedReason);
    expect(paused).toEqual([undefined, undefined]);
  });
});
