import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import { addDays } from '../../dates.ts';
import type { Outgoing } from '../../postings/outbox/message.ts';
import { stripMarkup } from '../../slack/ui/mrkdwn.ts';
import {
  type AlertSearch,
  type AlertState,
  alertKey,
  createAlertMatcher,
  describeSearch,
  isWorseThan,
  policiesOf,
  problemOf,
} from '../alerts/index.ts';
import { beforeLateArrivals, factsOf } from './alert-facts.ts';
import { alertReplyMessage, watchedAlertMessage } from './views/alert-message.ts';
import type { AlertFacts, ReadAlert, SeenAlert, Watch } from './watch.ts';

/** Why a new alert isn't posted yet. */
export type Hold = { mutedBy: string } | { quietUntil: Date };

/** What to store of an alert, and what to post, if anything. */
type PostDecision = { facts: AlertFacts; outgoing?: Outgoing | undefined; hold?: Hold };

/**
 * Decides what a watch posts about an alert that was just read: a new alert gets one message, which is
 * edited as the alert changes. An alert that was there before the watch is posted only when it recurs,
 * and one that is held or was only counted in a summary also when it gets worse. Undefined if there is
 * nothing to store either; `older` if a newer reading is stored.
 *
 * @param isMatch - From `createWatchMatcher`.
 */
export function decidePost(
  watch: Watch,
  read: ReadAlert,
  {
    seen,
    isMatch,
    state,
    holdOf,
  }: {
    seen: SeenAlert | undefined;
    isMatch: WatchMatcher;
    state: AlertState | undefined;
    holdOf: (read: ReadAlert) => Hold | undefined;
  },
): PostDecision | 'older' | undefined {
  const { alert } = read;
  const facts = factsOf(alert);
  const current = { ...read, state };
  const post = () => {
    // Nobody is notified of it, unless it gets worse, which ends the snooze.
    if (state?.snooze) return { facts };
    const hold = holdOf(read);
    return hold ? { facts, hold } : { facts, outgoing: newMessage(watch, current, seen) };
  };
  if (!seen) {
    if (!isMatch(read)) return undefined;
    return isUnseenNews(watch, read, facts) ? post() : { facts };
  }
  if (isOlder(read, facts, seen)) return 'older';
  const difference = compareFacts(seen, facts);
  if (!difference && !read.isStateChanged) return undefined;
  if (seen.notifiedAs === 'message')
    return { facts, outgoing: editMessage(watch, current, difference) };
  const isNews = difference?.recurred || (seen.notifiedAs !== 'none' && difference?.isWorse);
  return isNews && isUpdatedSince(watch, facts) && isMatch(read) ? post() : { facts };
}

type CurrentAlert = ReadAlert & { state: AlertState | undefined };

function isUnseenNews(watch: Watch, read: ReadAlert, facts: AlertFacts): boolean {
  const isNew = isRaisedSince(watch, read.alert) && !mayBePruned(read.alert, read.readAt);
  const mayBeNews = isNew || (mayRecur(facts) && !facts.isCleared);
  return mayBeNews && isUpdatedSince(watch, facts);
}

const clearedDays = 90;
/** Slack lets a message be edited for about as long. */
const maxDays = 400;

/** What watches have stored of alerts that were last read before these times is deleted. */
export type RetentionCutoffs = { cleared: Date; all: Date };

export function retentionCutoffs(now: Date): RetentionCutoffs {
  return { cleared: addDays(now, -clearedDays), all: addDays(now, -maxDays) };
}

/** Whether an alert that no watch knows may have been posted, and pruned since. */
function mayBePruned({ raisedTimestamp, clearedTimestamp }: Alert, now: Date): boolean {
  const cutoffs = retentionCutoffs(now);
  const [raised, cleared] = [parseTimestamp(raisedTimestamp), parseTimestamp(clearedTimestamp)];
  return (
    (raised !== undefined && raised < cutoffs.all) ||
    (cleared !== undefined && cleared < cutoffs.cleared)
  );
}

/** Whether an alert matches the filter of a watch. */
type WatchMatcher = (read: ReadAlert) => boolean;

/** Ignores the status of the filter: an alert that is cleared by now was new too. */
export function createWatchMatcher({ search }: Watch): WatchMatcher {
  const withoutStatus: AlertSearch = { ...search, status: 'all' };
  let latest: { readAt: Date; isMatch: (alert: Alert) => boolean } | undefined;
  return ({ alert, readAt }) => {
    // All alerts of a page were read at the same time, so they share a matcher.
    if (latest?.readAt !== readAt) {
      latest = { readAt, isMatch: createAlertMatcher(withoutStatus, readAt) };
    }
    return latest.isMatch(alert);
  };
}

/** Alerts of the last moments before the watch count as new; those that were there are stored as seen. */
function isRaisedSince({ anchor }: Watch, { raisedTimestamp }: Alert): boolean {
  const raised = parseTimestamp(raisedTimestamp);
  return !anchor || !raised || raised >= beforeLateArrivals(anchor);
}

/**
 * One walk serves all watches of a connection and starts at the lowest mark, so a watch that began
 * later also gets alerts from before its start.
 */
function isUpdatedSince({ anchor }: Watch, { updatedAt }: AlertFacts): boolean {
  return !anchor || !updatedAt || updatedAt >= beforeLateArrivals(anchor);
}

/** False for an alert that was raised once. Without a count, it may have recurred. */
function mayRecur({ raisedCount }: AlertFacts): boolean {
  return raisedCount === undefined || raisedCount > 1;
}

/**
 * Whether something newer is stored already. If the update times are equal (a note does not change
 * them), the later reading wins. It also wins if the stored time was ahead of Belay's clock, because
 * the service's clock was corrected since.
 */
function isOlder({ readAt }: ReadAlert, { updatedAt }: AlertFacts, seen: SeenAlert): boolean {
  const [now, before] = [updatedAt?.getTime(), seen.updatedAt?.getTime()];
  const isReadEarlier = readAt < seen.readAt;
  if (now === undefined || before === undefined || now === before) return isReadEarlier;
  const wasAhead = before > seen.readAt.getTime();
  return now < before && (isReadEarlier || !wasAhead);
}

type Difference = {
  recurred: boolean;
  /** It was cleared before: its thread ends with that. */
  reopened: boolean;
  cleared: boolean;
  noted: boolean;
  severityBefore: string | undefined;
  isWorse: boolean;
};

/** Whether a watch has seen nothing of the alert, or something else. */
export function isNewTo(seen: SeenAlert | undefined, { alert }: ReadAlert): boolean {
  return !seen || compareFacts(seen, factsOf(alert)) !== undefined;
}

function compareFacts(before: SeenAlert, now: AlertFacts): Difference | undefined {
  const cleared = now.isCleared && !before.isCleared;
  const noted = now.notesHash !== before.notesHash;
  const isOtherSeverity = now.severity !== before.severity;
  const isUpdated = now.updatedAt?.getTime() !== before.updatedAt?.getTime();
  const isUncounted = now.raisedCount === undefined && before.raisedCount === undefined;
  const reopened = before.isCleared && !now.isCleared;
  const recurred =
    (now.raisedCount ?? 0) > (before.raisedCount ?? 0) ||
    reopened ||
    // Nothing else explains the update.
    (isUncounted && isUpdated && !now.isCleared && !noted && !isOtherSeverity);
  if (!recurred && !cleared && !noted && !isOtherSeverity) return undefined;
  return {
    recurred: recurred && !cleared,
    reopened,
    cleared,
    noted,
    severityBefore: isOtherSeverity ? before.severity : undefined,
    isWorse: isWorseThan(now, before.severity),
  };
}

function subjectOf({ id }: Watch, alert: Alert): string {
  return `watch:${id}:${alertKey(alert)}`;
}

function newMessage(
  watch: Watch,
  { alert, readAt, state }: CurrentAlert,
  seen?: SeenAlert,
): Outgoing {
  const isRepeat = seen !== undefined || (alert.raisedCount ?? 1) > 1;
  const updatedAt = parseTimestamp(alert.updatedTimestamp);
  return {
    subject: subjectOf(watch, alert),
    message: watchedAlertMessage(alert, state),
    group: {
      key: watch.id,
      title: stripMarkup(describeSearch(watch.search, readAt)),
      facet: `${alert.severity ?? ''}\n${formatCause(alert)}`,
      countedAt: seen?.notifiedAs === 'summary' ? seen.notifiedAt : undefined,
      raisedAt: (isRepeat ? undefined : parseTimestamp(alert.raisedTimestamp)) ?? updatedAt,
    },
  };
}

const maxCause = 150;

/** "Policy violated: Backup failed · Gold": what the alerts of a storm are counted by. */
function formatCause(alert: Alert): string {
  const [policy] = policiesOf(alert);
  return [problemOf(alert), policy?.name].filter(Boolean).join(' · ').slice(0, maxCause);
}

/** Without a group, because an existing message is edited even in a storm: it must not be outdated. */
function editMessage(
  watch: Watch,
  { alert, change, state, endedSnooze }: CurrentAlert,
  difference: Difference | undefined,
): Outgoing {
  const edit = { subject: subjectOf(watch, alert), message: watchedAlertMessage(alert, state) };
  const {
    cleared = false,
    noted = false,
    recurred = false,
    reopened = false,
    isWorse = false,
    severityBefore,
  }: Partial<Difference> = difference ?? {};
  const ended = cleared ? undefined : endedSnooze;
  const isQuiet = cleared || ended !== undefined || state?.snooze !== undefined;
  const notified = !isQuiet && (recurred || isWorse) ? state?.owner?.slackUserId : undefined;
  const raisedAgain = reopened || (recurred && notified !== undefined);
  const isReply =
    cleared ||
    noted ||
    raisedAgain ||
    severityBefore !== undefined ||
    (notified ?? ended) !== undefined;
  const reply = { cleared, noted, raisedAgain, severityBefore, change, notified, ended };
  return { ...edit, threadReply: isReply ? alertReplyMessage(alert, reply) : undefined };
}
