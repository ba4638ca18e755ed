import { describe, expect, it } from 'vitest';
import { startWatches } from '../watches/watch-stage.ts';

/** `poll` moves the clock by a minute. */
async function startLooking() {
  const stage = await startWatches();
  stage.raise('before');
  await stage.poll();
  return stage;
}

describe('since:last', () => {
  it('is the last day for who has not looked, and from then on the time of the last look', async () => {
    const { ana, ben, raise, poll, clock } = await startLooking();
    await ana.send('ops', '/belay alerts since:last');
    const first = await ana.seeMessage("because you haven't looked at a list before");
    expect(first.text).toContain('volume before');
    const lookedAt = Math.floor(clock().getTime() / 1000);

    await poll();
    raise('after');
    await poll();
    await ana.send('ops', '/belay alerts new');
    const second = await ana.seeMessage(`updated since you last looked, <!date^${lookedAt}^`);
    expect(second.text).toContain('volume after');
    expect(second.text).not.toContain('volume before');

    // That was a look.
    await poll();
    await ana.send('ops', '/belay since I last looked');
    const third = await ana.seeMessage('No active alerts match these filters');
    expect(third.text).not.toContain(`<!date^${lookedAt}^`);

    // Everyone has their own.
    await ben.send('ops', '/belay alerts since:last');
    await ben.seeMessage("because you haven't looked at a list before");
  });

  it('stays the same when the list is refreshed, turned or filtered again', async () => {
    const { ana, raise, poll, clock } = await startLooking();
    await ana.send('ops', '/belay alerts severity:error');
    await ana.seeMessage('Filters: error');
    const since = `updated since you last looked, <!date^${Math.floor(clock().getTime() / 1000)}^`;
    await poll();
    for (let index = 1; index <= 12; index += 1) raise(`new-${index}`);
    await poll();
    await ana.send('ops', '/belay alerts since:last');
    const list = await ana.seeMessage('1-10 of 12 active');
    await poll();
    await ana.press(list, 'Older');
    const older = await ana.seeMessage('11-12 of 12 active');
    expect(older.text).toContain(since);
    await ana.press(older, 'Refresh');
    expect((await ana.seeMessage('1-10 of 12 active')).text).toContain(since);
    await ana.press(list, 'Filter');
    await ana.submit(await ana.seeDialog('Since I last looked'), { words: { input: 'new-7' } });
    const filtered = await ana.seeMessage('“new-7”');
    expect(filtered.text).toContain(since);
    expect(filtered.text).toContain('volume new-7');
  });

  it('shows what the service lists late', async () => {
    const { ana, raise, poll, clock } = await startLooking();
    await ana.send('ops', '/belay alerts severity:error');
    await ana.seeMessage('Filters: error');
    const updated_timestamp = new Date(clock().getTime() - 30_000).toISOString();
    await poll();
    raise('late', { updated_timestamp, raised_timestamp: updated_timestamp });
    await ana.send('ops', '/belay alerts since:last');
    const list = await ana.seeMessage('updated since you last looked');
    expect(list.text).toContain('volume late');
    expect(list.text).not.toContain('volume before');
  });

  it('can be chosen in the form', async () => {
    const { ana, raise, poll } = await startLooking();
    await ana.send('ops', '/belay alerts severity:error');
    const list = await ana.seeMessage('Filters: error');
    await poll();
    raise('after');
    await poll();
    await ana.press(list, 'Filter');
    await ana.submit(await ana.seeDialog('Any time'), { since: { input: 'last' } });
    const since = await ana.seeMessage('updated since you last looked');
    expect(since.text).toContain('volume after');
    expect(since.text).not.toContain('volume before');
  });

  it('is refused in a watch, with the reason', async () => {
    const { ana } = await startLooking();
    for (const typed of ['since:last', 'errors since I last looked', 'errors new']) {
      await ana.send('random', `/belay watch ${typed}`);
    }
    await ana.see(({ conversations }) => {
      const refused = conversations
        .flatMap(({ messages }) => messages)
        .filter(({ text }) => text.includes('because a watch posts new alerts only'));
      return refused.length === 3 || undefined;
    }, 'three refusals');
  });

  it('keeps "new" as text in quotation marks, and other times', async () => {
    const { ana } = await startLooking();
    await ana.send('ops', '/belay alerts "new"');
    await ana.seeMessage('Filters: “new”');
    await ana.send('ops', '/belay alerts since last week');
    await ana.seeMessage('Command: `/belay alerts since:1w`');
  });
});
