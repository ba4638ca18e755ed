import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import type { PolicySample } from '../../compliance/index.ts';
import type { RecordedChange } from '../../policy-watches/index.ts';
import type { PolicyChange } from './compare-policies.ts';

export type AlertGroup = {
  /** The ones worth showing come first. */
  alerts: Alert[];
  /** Given if the list could not be read to its end, so there may be more. */
  stopped: Stopped | undefined;
};

export type Stopped = {
  /** Number of alerts that were read. */
  examinedCount: number;
  /** Everything updated since then was read; undefined if that is not known. */
  backTo: Date | undefined;
  /** The list was read to its end but became shorter meanwhile, so alerts may be missing. */
  hasShrunk?: boolean;
};

export type ComplianceReport =
  | {
      result: 'read';
      /** Of policies without statistics, without counts. */
      readings: PolicySample[];
      /** Number of policies that were left out because there are too many. */
      unreadCount: number;
      /** Number of policies whose statistics the service failed to return. */
      failedCount: number;
      /** Number of policies that have other counts than before and can't be compared in full. */
      incomparableCount: number;
      /** The worst first. */
      changes: PolicyChange[];
      /** Whether there is an earlier reading to compare with. */
      hasBaseline: boolean;
    }
  /** `hasBaseline`: there were policies at the earlier reading. */
  | { result: 'no-policies'; hasBaseline: boolean }
  | { result: 'failed' };

/** The changes of policies in the period, through Belay and outside. */
export type ChangedPolicies = {
  /** The changes that weaken protection first. */
  changes: RecordedChange[];
  /** False if there are more than Belay lists. */
  isComplete: boolean;
  /** Since when changes made outside Belay are unknown, because the policies couldn't be read. */
  unreadSince: Date | undefined;
  /** Until when changes made outside Belay are unknown, because nobody needed the policies. */
  unobservedUntil: Date | undefined;
  /** False if only changes through Belay are known: the service lists no policies, or not yet. */
  isListed: boolean;
};

/** How many restores of drills ended so. */
export type DrillCounts = { restored: number; failed: number; unknown: number };

/** What a digest reports; parts that were not chosen are undefined. */
export type DigestContents = {
  newAlerts: AlertGroup | undefined;
  /** All open alerts if `newAlerts` is undefined, else those raised before the period. */
  openAlerts: AlertGroup | undefined;
  clearedAlerts: AlertGroup | undefined;
  /** How many alerts mutes of the channel have held in the period; with new or open alerts. */
  mutedCount?: number | undefined;
  compliance: ComplianceReport | undefined;
  changedPolicies: ChangedPolicies | undefined;
  pendingRequestCount: number | undefined;
  /** How the restore drills of the period ended; with compliance. */
  drills?: DrillCounts | undefined;
  /** Runs without approval that nobody has reviewed; `link` to the oldest, mrkdwn. */
  unreviewedRuns?: { count: number; link?: string | undefined } | undefined;
  /** Also undefined while the expiry is far away. */
  tokenExpiresAt: Date | undefined;
};

/** Whether a digest has nothing to report. Something that could not be read must be reported. */
export function isEmpty(contents: DigestContents): boolean {
  const { newAlerts, openAlerts, clearedAlerts, compliance } = contents;
  const hasAlerts = [newAlerts, openAlerts, clearedAlerts].some(
    (group) => group && (group.alerts.length > 0 || group.stopped),
  );
  const hasComplianceNews = compliance !== undefined && isNews(compliance);
  const { changedPolicies, pendingRequestCount, tokenExpiresAt } = contents;
  const { changes, unreadSince, unobservedUntil } = changedPolicies ?? {};
  const hasChanges = changes?.length || unreadSince || unobservedUntil;
  const { restored = 0, failed = 0, unknown = 0 } = contents.drills ?? {};
  const hasOther =
    restored + failed + unknown > 0 ||
    hasChanges ||
    contents.mutedCount ||
    pendingRequestCount ||
    contents.unreviewedRuns?.count ||
    tokenExpiresAt;
  return !hasAlerts && !hasComplianceNews && !hasOther;
}

function isNews(compliance: ComplianceReport): boolean {
  switch (compliance.result) {
    case 'failed':
      return true;
    case 'no-policies':
      return compliance.hasBaseline;
    case 'read':
      return (
        compliance.changes.some(isWorthReporting) ||
        compliance.failedCount + compliance.incomparableCount > 0
      );
  }
}

/** More compliant volumes than yesterday are shown beside other news but are no news by themselves. */
function isWorthReporting(change: PolicyChange): boolean {
  if (change.kind === 'statistics-added') {
    const { nonCompliantCount = 0, unprotectedCount = 0 } = change.statistics;
    return nonCompliantCount + unprotectedCount > 0;
  }
  if (change.kind !== 'changed') return true;
  return change.counts.some(({ count, from, to }) => {
    if (count === 'deactivatedCount') return false;
    return count === 'compliantCount' ? to < from : true;
  });
}

/** What is stored of a run. The keys are stored, so they stay. */
export function countsOf(contents: DigestContents, policies: number | undefined): DigestCounts {
  const { newAlerts, openAlerts, clearedAlerts, changedPolicies, pendingRequestCount } = contents;
  return {
    new: newAlerts?.alerts.length,
    open: openAlerts?.alerts.length,
    cleared: clearedAlerts?.alerts.length,
    changes: changedPolicies?.changes.length,
    waiting: pendingRequestCount,
    policies,
  };
}

/** Undefined for parts that were not chosen. */
export type DigestCounts = Record<string, number | undefined>;
