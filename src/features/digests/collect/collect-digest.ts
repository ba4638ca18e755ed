import { addDays } from '../../../dates.ts';
import { linkToMessage } from '../../../slack/api/post.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { supportsAlertChanges } from '../../alerts/index.ts';
import type { ComplianceSamples } from '../../compliance/index.ts';
import type { PolicyChanges } from '../../policy-watches/index.ts';
import type { Service } from '../../workspaces/index.ts';
import type { DigestPart, DigestSettings } from '../digest.ts';
import type { DigestStore } from '../store/digest-store.ts';
import { collectClearedAlerts, collectOpenAlerts, splitByPeriod } from './collect-alerts.ts';
import { type ComplianceBaseline, collectCompliance } from './collect-compliance.ts';
import { collectPolicyChanges } from './collect-policy-changes.ts';
import type { DigestContents } from './digest-contents.ts';

/** How long before its expiry a token is worth a warning. */
const tokenWarningDays = 14;

export type CollectDependencies = {
  store: Pick<DigestStore, 'countPendingRequests' | 'readUnreviewed' | 'reportedNoPolicies'>;
  samples: Pick<ComplianceSamples, 'readAsOf'>;
  policyChanges: Pick<PolicyChanges, 'list' | 'readHealth'>;
};

type CollectInput = {
  teamId: string;
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

export type CollectedDigest = {
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
  { teamId, digestId, settings, since, now, signal, slack }: CollectInput,
  { store, samples, policyChanges }: CollectDependencies,
): Promise<CollectedDigest> {
  const { client, connectionId, originId, tokenExpiresAt } = service;
  const { parts, search } = settings;
  const includes = (part: DigestPart) => parts.includes(part);
  const period = { search, since, now, signal };
  const [alerts, clearedAlerts, compliance, changedPolicies, pendingRequestCount, unreviewedRuns] =
    await Promise.all([
      includes('new') || includes('open') ? collectOpenAlerts(client, period) : undefined,
      includes('cleared') ? collectClearedAlerts(client, period) : undefined,
      includes('compliance') ? compareCompliance() : undefined,
      includes('policies')
        ? collectPolicyChanges(policyChanges, { teamId, originId, since, now })
        : undefined,
      includes('approvals') ? store.countPendingRequests({ teamId, originId }) : undefined,
      includes('approvals') ? collectUnreviewed() : undefined,
    ]);
  // Without their own section, new alerts are among the open ones.
  const { newAlerts, openAlerts } =
    alerts && includes('new')
      ? splitByPeriod(alerts, period)
      : { newAlerts: undefined, openAlerts: alerts };
  const open = includes('open') ? openAlerts : undefined;
  const hasAlerts = [newAlerts, open].some((group) => group?.alerts.length);
  const expiresSoon =
    tokenExpiresAt !== undefined && tokenExpiresAt <= addDays(now, tokenWarningDays);
  const contents = {
    newAlerts,
    openAlerts: open,
    clearedAlerts,
    changedPolicies,
    pendingRequestCount,
    unreviewedRuns,
    canClear: hasAlerts && (await supportsAlertChanges(client, { signal })),
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
