import type { OriginRef } from '../../../database/connection-origin.ts';
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
  readPolicySamples,
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
import { compareReadings } from './compare-policies.ts';
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
  input: CollectInput,
  context: DigestContext,
): Promise<CollectedDigest> {
  const { teamId, channelId, settings, since, now, signal } = input;
  const { client, originId, tokenExpiresAt } = service;
  const { store } = context;
  const of = { teamId, originId };
  const period = { search: settings.search, since, now, signal };
  const includes = (part: DigestPart) => settings.parts.includes(part);
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
    includes('compliance') ? collectCompliance(service, input, context) : undefined,
    includes('policies')
      ? collectPolicyChanges(context.policyChanges, { ...of, since, now })
      : undefined,
    includes('approvals') ? store.countPendingRequests(of) : undefined,
    includes('approvals') ? collectUnreviewed(of, input.slack, store) : undefined,
    includes('compliance') ? store.countDrills({ ...of, since, now }) : undefined,
    includes('new') || includes('open')
      ? store.countMuted({ teamId, channelId, since, now })
      : undefined,
  ]);
  // Without their own section, new alerts are among the open ones.
  const { newAlerts, openAlerts } =
    alerts && includes('new')
      ? splitByPeriod(alerts, period)
      : { newAlerts: undefined, openAlerts: alerts };
  const expiresSoon =
    tokenExpiresAt !== undefined && tokenExpiresAt <= addDays(now, tokenWarningDays);
  const contents = {
    newAlerts,
    openAlerts: includes('open') ? openAlerts : undefined,
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
}

async function collectUnreviewed(
  of: OriginRef,
  slack: SlackClient | undefined,
  store: DigestContext['store'],
): Promise<DigestContents['unreviewedRuns']> {
  const { count, oldest } = await store.readUnreviewed(of);
  const link = slack && oldest ? await linkToMessage(slack, oldest, 'View run') : undefined;
  return { count, link };
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
  const observedSince = health?.observedSince;
  return {
    changes: weakeningFirst(changes),
    isComplete,
    unreadSince: unreadSince(health, now),
    unobservedUntil: observedSince && observedSince > since ? observedSince : undefined,
    isListed: health?.readAt !== undefined && health.unlistedSince === undefined,
  };
}

/** What the compliance section of the next digest is compared with. */
type ComplianceBaseline = {
  samples: NewSample[];
  /** Undefined if unknown. */
  policyCount: number | undefined;
};

/**
 * Compliance now, what has changed, and what the next digest compares with. A service error becomes
 * part of the report: the rest of the digest is still worth posting.
 */
async function collectCompliance(
  { client, connectionId }: Service,
  { teamId, digestId, since, signal }: CollectInput,
  { store, samples, listKnownPolicies }: DigestContext,
): Promise<{ report: ComplianceReport; baseline: ComplianceBaseline }> {
  const [stored, hadNoPolicies] = await Promise.all([
    samples.readAsOf(connectionId, since),
    digestId !== undefined &&
      store.reportedNoPolicies({ teamId, digestId, connectionId, at: since }),
  ]);
  // If the last digest reported that there are no policies, older samples do not count.
  const before = hadNoPolicies ? [] : stored;
  const isSameConnection = before.some((sample) => sample.connectionId === connectionId);
  try {
    const listKnown = () => listKnownPolicies({ teamId, connectionId });
    const read = await readPolicySamples(client, signal, listKnown);
    if (!read) {
      const report = { result: 'no-policies' as const, hasBaseline: isSameConnection };
      return { report, baseline: { samples: [], policyCount: 0 } };
    }
    const { readings, unreadCount, failed, policyIds } = read;
    // If none of an earlier connection's policies exists now, that connection was another tenant's.
    const isSameTenant =
      isSameConnection || before.some(({ policy }) => policyIds.includes(policy.id));
    const hasBaseline = hadNoPolicies || isSameTenant;
    // A policy of which no sample can be stored would be new in each digest.
    const comparable = {
      ...read,
      readings: readings.filter(({ policy }) => canStoreSample(policy.id)),
      failed: failed.filter(({ id }) => canStoreSample(id)),
    };
    const compared = hasBaseline
      ? compareReadings(before, comparable)
      : { changes: [], incomparableCount: 0 };
    const failedCount = failed.length;
    const baseline = nextBaseline(read, hasBaseline ? before : []);
    return {
      report: { result: 'read', readings, unreadCount, failedCount, hasBaseline, ...compared },
      baseline: { samples: baseline, policyCount: policyIds.length },
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const carriedOver = lastReading(before).map((one) => ({ ...one, isCarriedOver: true }));
    const policyCount = hadNoPolicies ? 0 : undefined;
    return { report: { result: 'failed' }, baseline: { samples: carriedOver, policyCount } };
  }
}
