import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { Outgoing } from '../../outbox/message.ts';
import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { describeSearch, matchesAlertSearch } from '../alerts/index.ts';
import { alertKey, factsOf, serviceMoment } from './alert-facts.ts';
import { beforeLateArrivals } from './lateness.ts';
import { mayBeForgotten } from './retention.ts';
import { alertReplyMessage, watchedAlertMessage } from './views/alert-message.ts';
import type { AlertFacts, Judge, ReadAlert, SeenAlert, Verdict, Watch } from './watch.ts';

/**
 * What one watch makes of one alert. New alerts are told once; what was told changes as the alert
 * does. Of what was there before the watch, only a recurrence is news.
 */
export const judgeAlert: Judge = (watch, read, seen) => {
  const { alert } = read;
  const facts = factsOf(alert);
  if (!seen) return judgeUnseen(watch, read, facts);
  if (isOlder(read, facts, seen)) return undefined;
  const change = changeOf(seen, facts);
  if (!change) return undefined;
  if (seen.notifiedAs === 'own') return { facts, outgoing: changed(watch, read, change) };
  const isNews = change.recurred && isUpdatedSince(watch, facts) && isMeant(watch, read);
  return isNews ? { facts, outgoing: news(watch, read, seen) } : { facts };
};

function judgeUnseen(watch: Watch, read: ReadAlert, facts: AlertFacts): Verdict | undefined {
  if (!isMeant(watch, read)) return undefined;
  const isNew = isRaisedSince(watch, read.alert) && !mayBeForgotten(read.alert, read.readAt);
  const mayBeNews = isNew || (mayRecur(facts) && !facts.isCleared);
  const isNews = mayBeNews && isUpdatedSince(watch, facts);
  return isNews ? { facts, outgoing: news(watch, read) } : { facts };
}

/** A watch goes by what an alert is, not by its state: one that is cleared already was new too. */
function isMeant({ search }: Watch, { alert, readAt }: ReadAlert): boolean {
  return matchesAlertSearch(alert, { ...search, status: 'all' }, readAt);
}

/** Whatever was there when the watch began is remembered, so the doubtful moments count as since. */
function isRaisedSince({ anchor }: Watch, { raisedTimestamp }: Alert): boolean {
  const raised = serviceMoment(raisedTimestamp);
  return !anchor || !raised || raised >= beforeLateArrivals(anchor);
}

/**
 * Watches that are read together are read from the mark of the one that lags most, so one that began
 * later is shown what came before it, too.
 */
function isUpdatedSince({ anchor }: Watch, { updatedAt }: AlertFacts): boolean {
  return !anchor || !updatedAt || updatedAt >= beforeLateArrivals(anchor);
}

/** One that was raised once cannot be back; a service that does not count leaves it open. */
function mayRecur({ raisedCount }: AlertFacts): boolean {
  return raisedCount === undefined || raisedCount > 1;
}

/**
 * Where the service's clock does not tell, as for a note, what was read last is the newer one. Nor
 * does it tell when it was ahead of Belay's and has been put right since.
 */
function isOlder({ readAt }: ReadAlert, { updatedAt }: AlertFacts, seen: SeenAlert): boolean {
  const [now, before] = [updatedAt?.getTime(), seen.updatedAt?.getTime()];
  const isReadEarlier = readAt < seen.readAt;
  if (now === undefined || before === undefined || now === before) return isReadEarlier;
  const wasAhead = before > seen.readAt.getTime();
  return now < before && (isReadEarlier || !wasAhead);
}

type Change = {
  recurred: boolean;
  cleared: boolean;
  noted: boolean;
  severityBefore: string | undefined;
};

function changeOf(before: SeenAlert, now: AlertFacts): Change | undefined {
  const cleared = now.isCleared && !before.isCleared;
  const noted = now.notesDigest !== before.notesDigest;
  const isOtherSeverity = now.severity !== before.severity;
  const moved = now.updatedAt?.getTime() !== before.updatedAt?.getTime();
  const isUncounted = now.raisedCount === undefined && before.raisedCount === undefined;
  const recurred =
    (now.raisedCount ?? 0) > (before.raisedCount ?? 0) ||
    (before.isCleared && !now.isCleared) ||
    // Nothing else explains the update.
    (isUncounted && moved && !now.isCleared && !noted && !isOtherSeverity);
  if (!recurred && !cleared && !noted && !isOtherSeverity) return undefined;
  return {
    recurred: recurred && !cleared,
    cleared,
    noted,
    severityBefore: isOtherSeverity ? before.severity : undefined,
  };
}

function subjectOf({ id }: Watch, alert: Alert): string {
  return `watch:${id}:${alertKey(alert)}`;
}

function news(watch: Watch, { alert, readAt }: ReadAlert, seen?: SeenAlert): Outgoing {
  const isRepeat = seen !== undefined || (alert.raisedCount ?? 1) > 1;
  const updatedAt = serviceMoment(alert.updatedTimestamp);
  return {
    subject: subjectOf(watch, alert),
    message: watchedAlertMessage(alert),
    group: {
      key: watch.id,
      title: stripMarkup(describeSearch(watch.search, readAt)),
      facet: alert.severity ?? 'severity not given',
      countedAt: seen?.notifiedAs === 'counted' ? seen.notifiedAt : undefined,
      raisedAt: (isRepeat ? undefined : serviceMoment(alert.raisedTimestamp)) ?? updatedAt,
    },
  };
}

/** Never merged: the message is there and must not say what is no longer so. */
function changed(watch: Watch, { alert, deed }: ReadAlert, change: Change): Outgoing {
  const { cleared, noted, severityBefore } = change;
  const isReply = cleared || noted || severityBefore !== undefined;
  return {
    subject: subjectOf(watch, alert),
    message: watchedAlertMessage(alert),
    threadReply: isReply ? alertReplyMessage(alert, { ...change, deed }) : undefined,
  };
}
