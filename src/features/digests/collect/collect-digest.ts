import type { OriginRef } from '../../../database/connection-origin.ts';
import type { ServiceClient } from '../../../dataprotection/client.ts';
import { ServiceError } from '../../../dataprotection/http/errors.ts';
import { addDays } from '../../../dates.ts';
import { linkToMessage } from '../../../slack/api/post.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import type { Service } from '../../../workspace/open-service.ts';
import {
  canStoreSample,
  lastReading,
  type NewSample,
  nextBaseline,
  type PolicyReadings,
  readPolicySamples,
  type StoredSample,
} from '../../compliance/index.ts';
import { unreadSince, weakeningFirst } from '../../policy-watches/index.ts';
import type { DigestPart, DigestSettings } from '../digest.ts';
import type { DigestContext } from '../digest-context.ts';
import {
  collectClearedAlerts,
  collectOpenAlerts,
  reportedPeriod,
  splitByPeriod,
} from './collect-alerts.ts';
import { incomparablePolicies, policyChanges } from './compare-policies.ts';
import type { ChangedPolicies, ComplianceReport, DigestContents } from './digest-contents.ts';

/** How long before its expiry a token is worth a warning. */
const tokenWarningDays = 14;

type CollectInput = {
  teamId: string;
  channelId: string;
  /** Undefined in the preview of a new digest. */
  digestId: string | undefined;
  settings: Pick<DigestSettings, 'parts' | 'search'>;
  /** The period is from `since` to `now`. */
  since: Date;
  now: Date;
  signal: AbortSignal;
  /** For links to messages; without it the digest has none. */
  slack?: SlackClient | undefined;
};

type CollectedDigest = {
  contents: DigestContents;
  /** Undefined if the digest does not include compliance. */
  baseline: ComplianceBaseline | undefined;
};

/**
 * Reads what the digest's parts need, and nothing else.
 *
 * @throws ServiceError
 */
export async function collectDigest(
  service: Service,
  { teamId, channelId, digestId, settings, since, now, signal, slack }: CollectInput,
  { store, samples, policyChanges }: DigestContext,
): Promise<CollectedDigest> {
  const { client, connectionId, originId, tokenExpiresAt } = service;
  const { parts, search } = settings;
  const includes = (part: DigestPart) => parts.includes(part);
  const period = { search, since, now, signal };
  const [
    alerts,
    clearedAlerts,
    compliance,
    changedPolicies,
    pendingRequestCount,
    unreviewedRuns,
    drills,
    mutedCount,
  ] = await Promise.all([
    includes('new') || includes('open') ? collectOpenAlerts(client, period) : undefined,
    includes('cleared') ? collectClearedAlerts(client, period) : undefined,
    includes('compliance') ? compareCompliance() : undefined,
    includes('policies')
      ? collectPolicyChanges(policyChanges, { teamId, originId, since, now })
      : undefined,
    includes('approvals') ? store.countPendingRequests({ teamId, originId }) : undefined,
    includes('approvals') ? collectUnreviewed() : undefined,
    includes('compliance') ? store.countDrills({ teamId, originId, since, now }) : undefined,
    includes('new') || includes('open')
      ? store.countMuted({ teamId, channelId, since, now })
      : undefined,
  ]);
  // Without their own section, new alerts are among the open ones.
  const { newAlerts, openAlerts } =
    alerts && includes('new')
      ? splitByPeriod(alerts, period)
      : { newAlerts: undefined, openAlerts: alerts };
  const open = includes('open') ? openAlerts : undefined;
  const expiresSoon =
    tokenExpiresAt !== undefined && tokenExpiresAt <= addDays(now, tokenWarningDays);
  const contents = {
    newAlerts,
    openAlerts: open,
    clearedAlerts,
    mutedCount,
    changedPolicies,
    pendingRequestCount,
    unreviewedRuns,
    drills,
    compliance: compliance?.report,
    tokenExpiresAt: includes('token') && expiresSoon ? tokenExpiresAt : undefined,
  };
  return { contents, baseline: compliance?.baseline };

  async function collectUnreviewed() {
    const { count, oldest } = await store.readUnreviewed({ teamId, originId });
    const link = slack && oldest ? await linkToMessage(slack, oldest, 'View run') : undefined;
    return { count, link };
  }

  async function compareCompliance() {
    const [before, hadNoPolicies] = await Promise.all([
      samples.readAsOf(connectionId, since),
      digestId !== undefined &&
        store.reportedNoPolicies({ teamId, digestId, connectionId, at: since }),
    ]);
    return collectCompliance(client, { before, hadNoPolicies, connectionId, signal });
  }
}

/**
 * The changes to policies in the period, each in exactly one digest: those of the last minute are left
 * to the next one, because a change is stored a moment after the time that it carries.
 */
async function collectPolicyChanges(
  policyChanges: DigestContext['policyChanges'],
  { since, now, ...of }: OriginRef & { since: Date; now: Date },
): Promise<ChangedPolicies> {
  const [{ changes, isComplete }, health] = await Promise.all([
    policyChanges.list({ ...of, ...reportedPeriod({ since, now }) }),
    policyChanges.readHealth(of),
  ]);
  return {
    changes: weakeningFirst(changes),
    isComplete,
    unreadSince: unreadSince(health, now),
    isListed: health?.readAt !== undefined && health.unlistedSince === undefined,
  };
}

/** What the compliance section of the next digest is compared with. */
type ComplianceBaseline = {
  samples: NewSample[];
  /** Undefined if unknown. */
  policyCount: number | undefined;
};

type PreviousReading = {
  before: StoredSample[];
  /** The last digest reported that there are no policies, so older samples do not count. */
  hadNoPolicies: boolean;
  connectionId: string;
};

/**
 * Compliance now, what has changed, and what the next digest compares with. A service error becomes
 * part of the report: the rest of the digest is still worth posting.
 */
async function collectCompliance(
  client: ServiceClient,
  { signal, ...earlier }: PreviousReading & { signal: AbortSignal },
): Promise<{ report: ComplianceReport; baseline: ComplianceBaseline }> {
  const { hadNoPolicies, connectionId } = earlier;
  const before = hadNoPolicies ? [] : earlier.before;
  try {
    const read = await readPolicySamples(client, signal);
    if (!read) {
      const hasBaseline = hasSamplesOf(connectionId, before);
      const report = { result: 'no-policies' as const, hasBaseline };
      return { report, baseline: { samples: [], policyCount: 0 } };
    }
    const { readings, unreadCount, failed } = read;
    const hasBaseline = isComparable(earlier, read);
    const known = hasBaseline ? before : [];
    // A policy of which no sample can be stored would be new in each digest.
    const comparable = {
      ...read,
      readings: readings.filter(({ policy }) => canStoreSample(policy.id)),
      failed: failed.filter(({ id }) => canStoreSample(id)),
    };
    const changes = hasBaseline ? policyChanges(before, comparable) : [];
    const incomparableCount = incomparablePolicies(known, comparable.readings).length;
    const counts = { unreadCount, failedCount: failed.length, incomparableCount };
    return {
      report: { result: 'read', readings, ...counts, changes, hasBaseline },
      baseline: { samples: nextBaseline(read, known), policyCount: read.policyIds.length },
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const policyCount = hadNoPolicies ? 0 : undefined;
    const samples = lastReading(before).map((one) => ({ ...one, isCarriedOver: true }));
    const baseline = { samples, policyCount };
    return { report: { result: 'failed' }, baseline };
  }
}

/** If none of an earlier connection's policies exists now, that connection was another tenant's. */
function isComparable(
  { before, hadNoPolicies, connectionId }: PreviousReading,
  { policyIds }: PolicyReadings,
): boolean {
  if (hadNoPolicies) return true;
  const isKnown = before.some(({ policy }) => policyIds.includes(policy.id));
  return isKnown || hasSamplesOf(connectionId, before);
}

function hasSamplesOf(connectionId: string, samples: StoredSample[]): boolean {
  return samples.some((sample) => sample.connectionId === connectionId);
}
