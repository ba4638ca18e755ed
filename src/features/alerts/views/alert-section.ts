import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';
import { actionsIfAny, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { alertKey } from '../alert-key.ts';
import type { AlertSearch } from '../alert-search.ts';
import type { AlertState, AlertStates } from '../store/alert-states.ts';
import { acknowledgeButton, detailsButton } from './alert-buttons.ts';
import { factsOf, formatEntity, formatState, line, problemOf } from './format-alert.ts';

type Sort = AlertSearch['sort'];

/** Alerts about the same entity; `subject` is undefined where the service does not name one. */
export type AlertGroup = { subject: AlertEntity | undefined; alerts: Alert[] };

/**
 * Groups alerts by their parent entity (a policy with a hundred volumes is one problem), else by
 * their entity. Groups are in the order of their first alert.
 */
export function groupAlerts(alerts: readonly Alert[]): AlertGroup[] {
  return [...Map.groupBy(alerts, subjectKey).values()].map((group) => ({
    subject: group[0] && subjectOf(group[0]),
    alerts: group,
  }));
}

export function subjectKey(alert: Alert): string {
  const subject = subjectOf(alert);
  // Alerts without a subject are not grouped.
  return subject
    ? JSON.stringify([subject.type, subject.id ?? subject.value])
    : `alert ${alert.id}`;
}

function subjectOf({ parentEntity, primaryEntity }: Alert): AlertEntity | undefined {
  return parentEntity ?? primaryEntity;
}

/**
 * One section for each alert of a group, with its *View details* button, below a heading with the
 * subject and `count`, how many of its alerts are shown. Without a count, the alert is the only one.
 */
export function groupSections(
  { subject, alerts }: AlertGroup,
  count: string,
  { sort, states }: { sort: Sort; states: AlertStates },
): KnownBlock[] {
  const statesOf = (alert: Alert) => formatAlertState(alert, states.get(alertKey(alert)));
  if (!count) {
    return alerts.map((alert) => {
      const line = [formatAlertLine(alert, sort), ...statesOf(alert)].join(' · ');
      return section(line, detailsButton(alert));
    });
  }
  const rows = alerts.map((alert) => {
    const { primaryEntity, parentEntity } = alert;
    // Without a parent entity, the heading names the entity already.
    const resource = parentEntity && primaryEntity ? [formatEntity(primaryEntity)] : [];
    const facts = factsOf(alert, { sort });
    const row = [formatState(alert), ...resource, facts, ...statesOf(alert)]
      .filter(Boolean)
      .join(' · ');
    return section(row, detailsButton(alert));
  });
  return [section(`${formatEntity(subject)} · ${count}`), ...rows];
}

/** "🔴 Error · *orders-7* (AWS EBS volume)" */
export function formatAlertTitle(alert: Alert): string {
  return `${formatState(alert)} · ${formatEntity(alert.primaryEntity ?? alert.parentEntity)}`;
}

/** What happened to it, on one line. */
export function formatAlertFacts(alert: Alert, sort?: Sort): string {
  const { primaryEntity, parentEntity } = alert;
  return factsOf(alert, { sort, parent: primaryEntity && parentEntity });
}

/** An alert on one line of mrkdwn. */
export function formatAlertLine(alert: Alert, sort?: Sort): string {
  return `${formatAlertTitle(alert)} · ${formatAlertFacts(alert, sort)}`;
}

/**
 * "Owner: @Ana since Nov 21 at 9:41 AM · raised again since" and "Snoozed until Nov 22 at 9:00 AM by @Ana".
 * None for a cleared alert, which nobody owns.
 */
export function formatAlertState(alert: Alert, state: AlertState | undefined): string[] {
  if (isCleared(alert) || !state) return [];
  const { owner, snooze } = state;
  return [...(owner ? [formatOwner(alert, owner)] : []), ...(snooze ? [formatSnooze(snooze)] : [])];
}

function formatOwner(
  alert: Alert,
  { slackUserId, since, raisedCount }: NonNullable<AlertState['owner']>,
): string {
  const owner = `Owner: ${mention(slackUserId)} since ${moment(since)}`;
  const isRaisedAgain = raisedCount !== undefined && (alert.raisedCount ?? 1) > raisedCount;
  return isRaisedAgain ? `${owner} · raised again since` : owner;
}

export function formatSnooze({ until, by }: NonNullable<AlertState['snooze']>): string {
  return `Snoozed until ${moment(until)} by ${mention(by)}`;
}

/** An alert that nobody owns, on one line, with buttons. */
export function unownedAlertRow(alert: Alert): KnownBlock[] {
  const buttons = [acknowledgeButton(alert), detailsButton(alert)];
  return [section(formatAlertLine(alert)), ...actionsIfAny(buttons)];
}

/** Names the alert that a modal is about. */
export function alertHeading(alert: Alert): KnownBlock {
  return section(`${formatAlertTitle(alert)}\n${line(problemOf(alert))}`);
}
