import { addDays } from 'date-fns/addDays';
import { addMinutes } from 'date-fns/addMinutes';
import { describe, expect, it } from 'vitest';
import { serviceAlert, shareWatching } from './watching.ts';

const openWatching = shareWatching();

describe.each(['documented', 'live'] as const)('an alert of tomorrow on the %s form', (form) => {
  async function watchTomorrow() {
    const given = await openWatching(form);
    const teamId = await given.connect();
    const poller = given.startPoller();
    return {
      ...given,
      setUp: () => given.setUp(teamId),
      put: (id: string, at: Date) => given.service.putAlert(given.portal.id, serviceAlert(id, at)),
      poll: async () => {
        given.waitForNextPoll();
        await poller.poll();
      },
      told: () => given.queued.map(({ subject }) => subject.split(':').at(-1)),
    };
  }

  it('does not hide what comes until then', async () => {
    const { setUp, put, poll, told, now } = await watchTomorrow();
    await setUp();
    put('ahead', addDays(now(), 1));
    await poll();
    put('today', now());
    await poll();
    await poll();
    expect(told()).toEqual(['ahead', 'today']);
  });

  it('does not hide it from a watch that begins with it, and is not told as new', async () => {
    const { setUp, put, poll, told, now } = await watchTomorrow();
    put('ahead', addDays(now(), 1));
    put('before', addMinutes(now(), -1));
    await setUp();
    put('today', now());
    await poll();
    await poll();
    expect(told()).toEqual(['today']);
  });
});
