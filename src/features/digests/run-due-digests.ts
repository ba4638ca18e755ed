import { newLease } from '../../database/leases.ts';
import { logUnreadable, UnreadableRowError } from '../../database/parse-rows.ts';
import { describeCause } from '../../describe-failure.ts';
import { createDueWork, type DueWork } from '../../jobs/due-work.ts';
import { nextRun } from '../../jobs/next-run.ts';
import type { Logger } from '../../logger.ts';
import type { SlackClients } from '../../slack/api/slack-clients.ts';
import { notConnected, type OpenService } from '../../workspace/open-service.ts';
import { collectDigest } from './collect/collect-digest.ts';
import { countsOf, isEmpty } from './collect/digest-contents.ts';
import type { Claim, Digest } from './digest.ts';
import type { DigestContext } from './digest-context.ts';
import type { DigestRun } from './store/digest-store.ts';
import { digestFailedMessage, digestMessage } from './views/digest-message.ts';

type RunContext = DigestContext & {
  openService: OpenService;
  /** For links to messages. */
  clients?: Pick<SlackClients, 'find'> | undefined;
  log: Logger;
};

/** Longer than a run may take, so that a slow one is not started a second time. */
const leaseMs = 2 * 60_000;
const timeoutMs = 60_000;
/** A failed run is repeated each time its lease ends. After this many, the channel gets the reason. */
const maxAttempts = 10;
/** A digest that is this late says so. */
const lateMs = 10 * 60_000;
/** From one look to the next, so that many that are due at once are spread over time. */
export const maxPerLook = 200;

/**
 * Collects and queues the digests that are due; any number of processes may do so at once. A digest
 * that was missed, however often, runs once and covers everything since the last.
 */
export function createDigestRunner(context: RunContext): DueWork {
  const { store, clock, log } = context;
  return createDueWork({
    lease: (limit) => store.leaseDue(newLease(clock, leaseMs), limit),
    // One that is changed while it runs is due at once.
    leasesAfterEach: true,
    async work(leased) {
      const now = clock();
      await runClaimed(await leased.read(), now, context);
    },
    onFailed({ id }, error) {
      if (error instanceof UnreadableRowError) logUnreadable(log, [error]);
      else log.error({ digestId: id, err: error }, 'a digest could not be recorded');
    },
    limits: { limitMs: leaseMs, maxPerLook },
  });
}

async function runClaimed(claim: Claim, now: Date, context: RunContext): Promise<void> {
  const { store, log } = context;
  const { digest, attempt } = claim;
  try {
    await store.finish(claim, await collectRun(digest, now, context));
  } catch (error) {
    log.warn({ digestId: digest.id, attempt, err: error }, 'a digest could not be collected');
    // The lease is kept: its end is when the next attempt starts.
    if (attempt < maxAttempts) return;
    await store.finish(claim, failedRun(digest, now, describeCause(error)));
  }
}

async function collectRun(digest: Digest, now: Date, context: RunContext): Promise<DigestRun> {
  const { teamId, originId, settings, channelId, dueAt, coveredUntil: since } = digest;
  const service = await context.openService(teamId, { originId });
  if (!service) return failedRun(digest, now, notConnected.text);

  const signal = AbortSignal.timeout(timeoutMs);
  const slack = await context.clients?.find({ teamId });
  const input = { teamId, channelId, digestId: digest.id, settings, since, now, signal, slack };
  const { contents, baseline } = await collectDigest(service, input, context);
  const lateFrom = now.getTime() - dueAt.getTime() > lateMs ? dueAt : undefined;
  const message = digestMessage({ ...input, contents, lateFrom });
  const isSilent = settings.whenEmpty === 'silence' && isEmpty(contents);
  return {
    at: now,
    since,
    report: {
      connectionId: service.connectionId,
      counts: countsOf(contents, baseline?.policyCount),
      samples: baseline?.samples ?? [],
    },
    outgoing: isSilent ? undefined : { subject: subjectOf(digest), message },
    nextRunAt: nextRun(settings, now),
  };
}

function failedRun(digest: Digest, now: Date, cause: string): DigestRun {
  const since = digest.coveredUntil;
  const message = digestFailedMessage(digest.settings, { since, cause });
  const outgoing = { subject: subjectOf(digest), message };
  return { at: now, since, report: undefined, outgoing, nextRunAt: nextRun(digest.settings, now) };
}

/** The same for each attempt, so that a run repeated after a crash is still one message. */
function subjectOf({ id, dueAt }: Digest): string {
  return `digest:${id}:${dueAt.toISOString()}`;
}
