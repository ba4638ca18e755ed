import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { type CollectDependencies, collectDigest } from './collect-digest.ts';
import type { ComplianceSamples } from './compliance-samples.ts';
import { countsOf, isEmpty } from './digest-contents.ts';
import type { Claim, DigestRun, DigestStore } from './digest-store.ts';
import { keptSince } from './kept-since.ts';
import { nextRun } from './next-run.ts';
import { digestMessage, digestTroubleMessage } from './views/digest-message.ts';

export type RunDependencies = CollectDependencies & {
  store: DigestStore;
  samples: ComplianceSamples;
  openService: OpenService;
  /** In mrkdwn, without what it means for a change: a digest changes nothing. */
  describeCause: (error: unknown) => string;
  clock: Clock;
  newId: () => string;
  log: Logger;
};

/** Longer than a digest may take, so that nobody else begins one that is only slow. */
const leaseMs = 2 * 60_000;
const patienceMs = 60_000;
/** A service that is down is asked again each time a lease ends; then the channel is told. */
const maxAttempts = 10;
/** Later than this is told. */
const lateMs = 10 * 60_000;
const atOnce = 8;
/** A run comes to an end, however much is due. */
const maxPerRun = 200;

/**
 * Puts together and queues the digests that are due. Any number of processes may do so at once. One
 * that was missed, however often, comes once and tells all since the last. Once it is to stop it begins no other. Returns how many were tried.
 */
export async function runDueDigests(
  dependencies: RunDependencies,
  stopping?: AbortSignal,
): Promise<number> {
  const { store, clock, newId } = dependencies;
  let tried = 0;
  async function work() {
    while (tried < maxPerRun && !stopping?.aborted) {
      tried += 1;
      // Of the claim, not of the run: many slow ones take longer than a lease.
      const now = clock();
      const leaseUntil = addMilliseconds(now, leaseMs);
      const claim = await store.claimDue({ now, leaseUntil, holder: newId() });
      if (!claim) {
        tried -= 1;
        return;
      }
      await runClaimed(claim, now, dependencies);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return tried;
}

async function runClaimed(claim: Claim, now: Date, dependencies: RunDependencies): Promise<void> {
  const { store, log } = dependencies;
  const { digest, attempt } = claim;
  try {
    await store.finish(claim, await putTogether(claim, now, dependencies));
  } catch (error) {
    // The lease is left to end: then it comes again.
    log.warn({ digestId: digest.id, attempt, err: error }, 'a digest could not be put together');
    if (attempt < maxAttempts) return;
    const trouble = dependencies.describeCause(error);
    await store.finish(claim, troubleRun(claim, now, trouble));
  }
}

async function putTogether(
  claim: Claim,
  now: Date,
  dependencies: RunDependencies,
): Promise<DigestRun> {
  const { digest, dueAt } = claim;
  const { teamId, settings, channelId } = digest;
  const service = await dependencies.openService(teamId);
  if (!service) return troubleRun(claim, now, notConnected.text);

  const since = digest.coveredUntil;
  const signal = AbortSignal.timeout(patienceMs);
  const wish = { teamId, digestId: digest.id, parts: settings.parts, since, now, signal };
  const { contents, baseline } = await collectDigest(service, wish, dependencies);
  const isLate = now.getTime() - dueAt.getTime() > lateMs;
  const lateFrom = isLate ? dueAt : undefined;
  const message = digestMessage({ settings, contents, since, now, lateFrom, channelId });
  const policyCount = baseline?.policyCount === undefined ? {} : { policies: baseline.policyCount };
  const isSilent = settings.whenEmpty === 'silence' && isEmpty(contents);
  return {
    at: now,
    since,
    told: {
      connectionId: service.connectionId,
      counts: { ...countsOf(contents), ...policyCount },
      readings: baseline?.samples ?? [],
    },
    outgoing: isSilent ? undefined : { subject: subjectOf(claim), message },
    nextRunAt: nextRun(settings, now),
    keptSince: keptSince(now),
  };
}

function troubleRun(claim: Claim, now: Date, trouble: string): DigestRun {
  const { digest } = claim;
  const since = digest.coveredUntil;
  const message = digestTroubleMessage(digest.settings, { since, trouble });
  const outgoing = { subject: subjectOf(claim), message };
  const nextRunAt = nextRun(digest.settings, now);
  return {
    ...{ at: now, since, told: undefined, outgoing, nextRunAt },
    keptSince: keptSince(now),
  };
}

/** Put together twice, after a crash, it is still one message. */
function subjectOf({ digest, dueAt }: Claim): string {
  return `digest:${digest.id}:${dueAt.toISOString()}`;
}
