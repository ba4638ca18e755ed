import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Alert as ServiceAlert } from '../../../playground/service/resources.ts';
import { ServiceUnreachableError } from '../../../src/dataprotection/http/errors.ts';
import { watchedAlertMessage } from '../../../src/features/watches/views/alert-message.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { asRead, type Queued, seconds, serviceAlert, shareWatching } from './poll-stage.ts';

const openWatching = shareWatching();

/** Two alerts are there before the watch; the commands may raise the others. */
const oldAlerts = ['old-0', 'old-1'];
const ids = [...oldAlerts, 'new-0', 'new-1', 'new-2', 'new-3'];

type Change = { to: 'raise' | 'clear' | 'note'; id: string; afterSeconds: number };
type Command =
  | { do: 'change'; change: Change }
  /** A poll with one of the changes before each request; it may fail at a request. */
  | { do: 'poll'; during: Change[]; failAt: number | undefined }
  | { do: 'restart' };

const change: fc.Arbitrary<Change> = fc.record({
  to: fc.constantFrom('raise', 'raise', 'clear', 'note'),
  id: fc.constantFrom(...ids),
  // Equal times test that reading from the mark, which is inclusive, posts nothing twice.
  afterSeconds: fc.constantFrom(0, 0, 1, 20),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), change }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('poll' as const),
      during: fc.array(change, { maxLength: 3 }),
      failAt: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);

/** The alert after the change; undefined if the service would refuse it. */
function changed(
  before: ServiceAlert | undefined,
  { to, id }: Change,
  at: Date,
  count: number,
): ServiceAlert | undefined {
  const updated_timestamp = at.toISOString();
  if (!before) return to === 'raise' ? serviceAlert(id, at) : undefined;
  // A cleared alert never becomes active again.
  if (before.status === 'cleared') return undefined;
  if (to === 'clear') {
    return {
      ...before,
      status: 'cleared',
      cleared_timestamp: updated_timestamp,
      updated_timestamp,
    };
  }
  if (to === 'note') return { ...before, notes: `note ${count}`, updated_timestamp };
  return { ...before, raised_count: (before.raised_count ?? 0) + 1, updated_timestamp };
}

/** What must have been posted about an alert after everything was read, despite failures. */
function expectPosted(queued: Queued[], now: ServiceAlert, isOld: boolean) {
  const posted = queued.filter(({ subject }) => subject.endsWith(`:${now.id}`));
  const posts = posted.filter(({ group }) => group);
  const hasRecurred = (now.raised_count ?? 1) > 1;
  if (isOld && !hasRecurred) return expect(posted).toEqual([]);
  // An old alert that recurred and was cleared between two polls is not posted.
  if (isOld && posted.length === 0) return expect(now.status).toBe('cleared');
  expect(posts).toHaveLength(1);
  expect(posted[0]).toBe(posts[0]);
  expect(posted.at(-1)?.message).toEqual(watchedAlertMessage(asRead(now)));
  const replies = posted.flatMap(({ threadReply }) => threadReply?.text ?? []);
  const clearings = replies.filter((text) => text.includes('Cleared '));
  const wasPostedCleared = posts[0]?.message.text.includes('Cleared ') ?? false;
  expect(clearings).toHaveLength(now.status === 'cleared' && !wasPostedCleared ? 1 : 0);
  expect(new Set(replies).size).toBe(replies.length);
}

it.each(['documented', 'live'] as const)(
  'posts every new alert exactly once on the %s dialect, despite failures',
  async (dialect) => {
    // Makes some walks record oldest first, and some page by page.
    const given = await openWatching(dialect, { pageSize: 2, timings: { maxHeldPages: 1 } });
    const { service, portal, queued } = given;

    const run = async (commands: Command[]) => {
      service.reset();
      let [clock, count] = [0, 0];
      const current = new Map<string, ServiceAlert>();
      const put = (alert: ServiceAlert) => {
        current.set(alert.id, alert);
        service.putAlert(portal.id, alert);
      };
      const apply = (next: Change) => {
        clock += next.afterSeconds;
        count += 1;
        const alert = changed(current.get(next.id), next, seconds(clock), count);
        if (alert) put(alert);
      };
      for (const id of oldAlerts) put(serviceAlert(id, seconds(-60)));
      const teamId = await given.connect();
      const watch = await given.setUp(teamId);
      clock = 1;
      let poller = given.startPoller();
      const poll = async (during: Change[], failAt?: number) => {
        given.onRequest((request) => {
          const next = during[request - 1];
          if (next) apply(next);
          if (request !== failAt) return;
          const facts = { request: 'GET /alerts', mayHaveActed: false };
          throw new ServiceUnreachableError('cut off', facts);
        });
        given.waitForNextPoll();
        await poller.poll.finish();
        given.onRequest(() => undefined);
      };

      for (const one of commands) {
        if (one.do === 'change') apply(one.change);
        if (one.do === 'poll') await poll(one.during, one.failAt);
        if (one.do === 'restart') poller = given.startPoller();
      }
      await poll([]);
      const ofWatch = queued.filter(({ subject }) => subject.startsWith(`watch:${watch.id}:`));
      for (const alert of current.values())
        expectPosted(ofWatch, alert, oldAlerts.includes(alert.id));
      await given.store.end({ teamId, id: watch.id, by: 'U_ANA', at: given.now() });
      queued.length = 0;
    };

    const property = fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 14 }), run);
    await fc.assert(property, propertyRuns(20, 6));
  },
);
