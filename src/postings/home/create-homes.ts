import { createHash } from 'node:crypto';
import { type Clock, type MonotonicClock, monotonicClock } from '../../clock.ts';
import { newLease } from '../../database/leases.ts';
import { addMilliseconds, subDays, subMilliseconds } from '../../dates.ts';
import { createDueWork } from '../../jobs/due-work.ts';
import type { Logger } from '../../logger.ts';
import { isRecipientGone, retryAfterMs } from '../../slack/api/error-codes.ts';
import { type Person, readPerson } from '../../slack/api/person.ts';
import { isHomeDisabled, publishHome } from '../../slack/api/publish-home.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import type { HomeOpened } from '../../slack/interactions/interaction.ts';
import type { KnownBlock } from '../../slack/ui/blocks.ts';
import { homeView } from '../../slack/ui/home.ts';
import type { HomeClaim, HomeRef, HomeStore } from './store/home-store.ts';
import type { PublishPace } from './store/publish-pace.ts';
import {
  incompleteRetryMs,
  leaseMs,
  maxAttempts,
  maxUncountedMs,
  personMs,
  refreshedForMs,
  refreshPauseMs,
  retentionDays,
  retryMs,
  uninstalledRetryMs,
} from './timings.ts';

/** Whose Home tab it is. */
export type HomeReader = {
  teamId: string;
  person: Person;
  /** The person's direct messages with Belay. */
  directChannelId: string | undefined;
  slack: SlackClient;
};

/** `isComplete`: no part was unavailable. */
export type RenderedHome = { blocks: KnownBlock[]; isComplete: boolean };

export type Homes = ReturnType<typeof createHomes>;

/** Publishes Home tabs, in any number of processes at once. */
export function createHomes({
  store,
  pace,
  render,
  clients,
  clock,
  now = monotonicClock,
  log,
}: {
  store: HomeStore;
  pace: PublishPace;
  /** Only what the person may see or do now. */
  render: (reader: HomeReader) => Promise<RenderedHome>;
  clients: SlackClients;
  clock: Clock;
  now?: MonotonicClock;
  log: Logger;
}) {
  const people = createKnownPeople(now);
  const work = createDueWork({
    lease(limit) {
      const lease = newLease(clock, leaseMs);
      return store.leaseDue(lease, { since: subMilliseconds(lease.at, refreshedForMs), limit });
    },
    // One that was opened again while it was published.
    leasesAfterEach: true,
    work: publishClaimed,
    onFailed: ({ teamId, slackUserId }, error) =>
      log.error({ teamId, slackUserId, err: error }, "couldn't record a published Home tab"),
  });

  /** Publishes a Home tab as it is now, or leaves it for later. Each call to Slack is paced. */
  async function publishClaimed(claim: HomeClaim): Promise<void> {
    const { teamId, slackUserId } = claim;
    try {
      await publish(claim);
    } catch (error) {
      const waitMs = retryAfterMs(error);
      if (waitMs !== undefined) {
        const until = addMilliseconds(clock(), waitMs);
        await pace.pause(teamId, until);
        return store.postpone(claim, { until, attempts: claim.attempts });
      }
      if (isRecipientGone(error)) return store.forget(claim);
      if (isHomeDisabled(error)) {
        log.warn({ teamId }, "the app's configuration in Slack has no Home tab: see manifest.yml");
        return store.forget(claim);
      }
      log.error({ teamId, slackUserId, err: error }, "couldn't publish a Home tab");
      const attempts = claim.attempts + 1;
      if (attempts >= maxAttempts) return store.giveUp(claim);
      const until = addMilliseconds(clock(), retryMs(attempts));
      await store.postpone(claim, { until, attempts });
    }
  }

  async function publish(claim: HomeClaim): Promise<void> {
    const { teamId, slackUserId, isOpened, directChannelId } = claim;
    const later = (ms: number) =>
      store.postpone(claim, { until: addMilliseconds(clock(), ms), attempts: claim.attempts });
    const slack = await clients.find({ teamId });
    if (!slack) return later(uninstalledRetryMs);

    // Who opens Home is looked up again, which is a call to Slack too.
    const known = isOpened ? undefined : people.find(claim);
    const takenAt = clock();
    const take = (at = clock()) => pace.take({ teamId, isOpened, at });
    if (!known && !(await take(takenAt))) return later(0);
    const person = known ?? (await readPerson(slack, slackUserId));
    people.remember(teamId, person);
    if (person.membership === 'deactivated') return store.forget(claim);

    const { blocks, isComplete } = await render({ teamId, person, directChannelId, slack });
    const view = homeView(teamId, blocks);
    const digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url');
    let hash = claim.shownHash;
    if (digest !== claim.shownDigest) {
      if (known && !(await take())) return later(0);
      // Later publications may have read their data faster.
      const at = clock();
      if (!known && at.getTime() - takenAt.getTime() > maxUncountedMs) {
        await pace.move(teamId, { takenAt, at });
      }
      hash = await publishHome(slack, slackUserId, view);
    }
    const nextAt = addMilliseconds(clock(), isComplete ? refreshPauseMs : incompleteRetryMs);
    await store.finish(claim, { hash, digest, isComplete, nextAt });
  }

  return {
    /** Somebody opened or used their Home tab: queues it, and starts to publish at once. Never throws. */
    async open(home: HomeOpened): Promise<void> {
      try {
        if (!(await clients.find(home))) return;
        await store.open({ ...home, at: clock() });
        // What fails here is tried again within a second.
        work.start().catch(() => undefined);
      } catch (error) {
        // The next time the person opens it is the next attempt.
        const { teamId, slackUserId } = home;
        log.error({ teamId, slackUserId, err: error }, "couldn't open a Home tab");
      }
    },

    /** Publishes what is due; to be started every second. */
    publish: {
      // Not in every look: who opens a Home tab doesn't wait for the changes of other workspaces.
      async start(): Promise<void> {
        await store.applyChanges();
        await work.start();
      },
      stop: work.stop,
    },

    prune: (): Promise<void> => store.prune(subDays(clock(), retentionDays)),
  };
}

const maxKnown = 5000;

/** People whose Home tabs this process has published lately, so that an update needs one call less. */
function createKnownPeople(now: MonotonicClock) {
  const known = new Map<string, { person: Person; readAt: number }>();
  return {
    find({ teamId, slackUserId }: HomeRef): Person | undefined {
      const found = known.get(`${teamId} ${slackUserId}`);
      return found && now() - found.readAt < personMs ? found.person : undefined;
    },

    /** Does not prolong how long somebody is remembered. */
    remember(teamId: string, person: Person): void {
      const key = `${teamId} ${person.slackUserId}`;
      if (known.get(key)?.person === person) return;
      if (known.size >= maxKnown) known.clear();
      known.set(key, { person, readAt: now() });
    },
  };
}
