import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { bold, safe } from '../../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import type { AlertSearch } from '../alert-search.ts';
import { detailsButton } from './alert-buttons.ts';
import { formatAge, humanize, nameOf, problemOf, severityOf } from './format-alert.ts';

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

/** Shown beside the word, because color alone must not carry the meaning. */
const severityIcons = new Map([
  ['error', ':large_red_circle: '],
  ['warning', ':large_yellow_circle: '],
]);

/**
 * One section for each alert of a group, with its *Details* button. The subject and `total`, how many
 * alerts it has in all, are above the first.
 */
export function groupSections(
  { subject, alerts }: AlertGroup,
  total: string,
  sort: Sort,
): KnownBlock[] {
  const title = `${bold(nameOf(subject), 150)}${typeOf(subject)}${total}`;
  return alerts.map((alert, index) => {
    const lines = [...(index === 0 ? [title] : []), ...alertLines(alert, sort)];
    return section(lines.join('\n'), detailsButton(alert));
  });
}

function alertLines(alert: Alert, sort: Sort): string[] {
  const { primaryEntity, parentEntity } = alert;
  // Without a parent entity, the group's title names the entity already.
  const within = parentEntity && primaryEntity;
  const named = within ? `${bold(nameOf(within), 150)}${typeOf(within)} · ` : '';
  const when = [capitalize(timesOf(alert, sort)), recurrenceOf(alert), statusOf(alert)];
  return [
    `${iconOf(alert)}${titleOf(alert)} · ${named}${line(problemOf(alert))}`,
    when.filter(Boolean).join(' · '),
  ];
}

/** Names the alert that a modal is about. */
export function alertHeading(alert: Alert): KnownBlock {
  const { primaryEntity } = alert;
  const problem = `${line(severityOf(alert))} · ${line(problemOf(alert))}`;
  return section(`${bold(nameOf(primaryEntity))}${typeOf(primaryEntity)}\n${problem}`);
}

/** An alert on one line of mrkdwn, for messages that do not group. */
export function formatAlertLine(alert: Alert): string {
  const { primaryEntity, parentEntity } = alert;
  const within = parentEntity
    ? ` in ${bold(nameOf(parentEntity), 150)}${typeOf(parentEntity)}`
    : '';
  const what = `${bold(nameOf(primaryEntity), 150)}${typeOf(primaryEntity)}${within}`;
  const when = [updatedOf(alert), recurrenceOf(alert), statusOf(alert)].filter(Boolean).join(' · ');
  return `${iconOf(alert)}${titleOf(alert)} · ${what}: ${line(problemOf(alert))} · ${when}`;
}

/** An alert in one sentence, for notifications and screen readers. */
export function formatAlertSentence(alert: Alert, sort: Sort): string {
  const what = `${line(severityOf(alert))}: ${line(nameOf(alert.primaryEntity))}, ${line(problemOf(alert))}`;
  return `${[what, timesOf(alert, sort)].join(', ')}.`;
}

/** A cleared alert must not look like an active one. */
function iconOf(alert: Alert): string {
  if (isCleared(alert)) return ':white_check_mark: ';
  return severityIcons.get(alert.severity ?? '') ?? '';
}

function titleOf(alert: Alert): string {
  const severity = line(severityOf(alert));
  return isCleared(alert) ? `Cleared · ${severity}` : severity;
}

function typeOf(entity: AlertEntity | undefined): string {
  return entity?.type ? ` (${line(humanize(entity.type))})` : '';
}

/** Includes the time that the list is sorted by, so that the order can be seen. */
function timesOf(alert: Alert, sort: Sort): string {
  if (sort !== 'raised' && sort !== '-raised') return updatedOf(alert);
  const { raisedTimestamp, updatedTimestamp } = alert;
  const raised = raisedTimestamp ? `raised ${formatAge(raisedTimestamp)}` : 'time raised not given';
  const isMore = updatedTimestamp && updatedTimestamp !== raisedTimestamp;
  return isMore ? `${raised}, ${updatedOf(alert)}` : raised;
}

function updatedOf({ updatedTimestamp, raisedTimestamp }: Alert): string {
  if (updatedTimestamp) return `updated ${formatAge(updatedTimestamp)}`;
  return raisedTimestamp ? `raised ${formatAge(raisedTimestamp)}` : 'time not given';
}

function recurrenceOf({ raisedCount }: Alert): string {
  return raisedCount !== undefined && raisedCount > 1 ? `raised ${raisedCount} times` : '';
}

/** Empty for active alerts, the usual case, and for cleared ones, whose title says it. */
function statusOf(alert: Alert): string {
  const { status } = alert;
  if (status === 'active' || isCleared(alert)) return '';
  return status ? `status ${line(humanize(status))}` : 'status not given';
}

function line(text: string): string {
  return safe(text, 150);
}
