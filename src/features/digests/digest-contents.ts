import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { PolicySample } from './compliance-samples.ts';

export type AlertGroup = {
  /** Those worth a line come first. */
  alerts: Alert[];
  /** Where the search ended before its time: there may be more. */
  stopped: Stopped | undefined;
};

export type Stopped = {
  lookedAt: number;
  /** All that was updated since then was looked at; undefined when that is not known of any. */
  backTo: Date | undefined;
  /** It was read to its end, but became shorter meanwhile, so some of it may have slipped through. */
  hasShrunk?: boolean;
};

export type CountChange = {
  count: 'nonCompliantCount' | 'unprotectedCount' | 'compliantCount' | 'deactivatedCount';
  from: number;
  to: number;
};

export type PolicyChange = { name: string } & (
  | { kind: 'changed'; counts: CountChange[] }
  | { kind: 'new'; statistics: PolicySample['statistics'] }
  /** With the last numbers that there were. */
  | { kind: 'uncounted'; statistics: PolicySample['statistics'] }
  /** It was there, but no number of it was known. */
  | { kind: 'counted'; statistics: PolicySample['statistics'] }
  /** With what was read of it last. */
  | { kind: 'gone'; statistics: PolicySample['statistics'] }
);

export type ComplianceNews =
  | {
      result: 'read';
      /** Without a number, where the service keeps no statistics. */
      readings: PolicySample[];
      /** Of policies left out because there are so many. */
      unreadCount: number;
      /** Of policies that the service failed to tell of. */
      failedCount: number;
      /** Of policies that tell other counts than before: they cannot be compared in full. */
      otherwiseCount: number;
      /** Policies that came, went or are kept differently, the worst first. */
      changes: PolicyChange[];
      /** Whether it is known how it was then. */
      hasBefore: boolean;
    }
  /** `hasBefore`: there were some. */
  | { result: 'no-policies'; hasBefore: boolean }
  | { result: 'failed' };

/** What a digest tells; what was not wished for is undefined. */
export type DigestContents = {
  fresh: AlertGroup | undefined;
  /** Those from before; all, where `fresh` is undefined. */
  open: AlertGroup | undefined;
  cleared: AlertGroup | undefined;
  /** Whether the service lets anybody clear those that are shown. */
  canClear: boolean;
  compliance: ComplianceNews | undefined;
  waitingCount: number | undefined;
  /** Undefined as well when it is far. */
  tokenExpiresAt: Date | undefined;
};

/** True when a digest would have nothing to say. What was not looked at is no reason for silence. */
export function isEmpty(contents: DigestContents): boolean {
  const { fresh, open, cleared, compliance, waitingCount, tokenExpiresAt } = contents;
  const hasAlerts = [fresh, open, cleared].some(
    (group) => group && (group.alerts.length > 0 || group.stopped),
  );
  const hasComplianceNews = compliance !== undefined && isNews(compliance);
  return !hasAlerts && !hasComplianceNews && !waitingCount && tokenExpiresAt === undefined;
}

function isNews(compliance: ComplianceNews): boolean {
  switch (compliance.result) {
    case 'failed':
      return true;
    case 'no-policies':
      return compliance.hasBefore;
    case 'read':
      return (
        compliance.changes.some(breaksSilence) ||
        compliance.failedCount + compliance.otherwiseCount > 0
      );
  }
}

/** That there is more each day, all of it protected, is told beside other things but is no news. */
function breaksSilence(change: PolicyChange): boolean {
  if (change.kind === 'counted') {
    const { nonCompliantCount = 0, unprotectedCount = 0 } = change.statistics;
    return nonCompliantCount + unprotectedCount > 0;
  }
  if (change.kind !== 'changed') return true;
  return change.counts.some(({ count, from, to }) => {
    if (count === 'deactivatedCount') return false;
    return count === 'compliantCount' ? to < from : true;
  });
}

/** For the record of what was told. */
export function countsOf({ fresh, open, cleared, waitingCount }: DigestContents) {
  const counts = {
    new: fresh?.alerts.length,
    open: open?.alerts.length,
    cleared: cleared?.alerts.length,
    waiting: waitingCount,
  };
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) => (count === undefined ? [] : [[name, count]])),
  );
}
