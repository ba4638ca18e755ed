import { isCleared } from '../../../dataprotection/resources/alert-filter.ts';
import type { Alert, AlertEntity } from '../../../dataprotection/resources/alerts.ts';
import { type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { bold, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AlertSearch } from '../alert-search.ts';
import type { AlertGroup } from '../group-alerts.ts';
import { detailsButton } from './alert-buttons.ts';
import { capitalized, inWords, nameOf, problemOf, severityOf } from './format-alert.ts';
import { ageOf } from './format-time.ts';

type Sort = AlertSearch['sort'];

/** Beside the word, never in its place. */
const severityMarks = new Map([
  ['error', ':large_red_circle: '],
  ['warning', ':large_yellow_circle: '],
]);

/**
 * The alerts of a group, each with the button that opens all of it. What they concern is said once,
 * above the first, with how many there are of it in all.
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
  // Without a parent the group is named after the entity.
  const within = parentEntity && primaryEntity;
  const named = within ? `${bold(nameOf(within), 150)}${typeOf(within)} · ` : '';
  const when = [capitalized(momentsOf(alert, sort)), recurrenceOf(alert), statusOf(alert)];
  return [
    `${markOf(alert)}${headOf(alert)} · ${named}${line(problemOf(alert))}`,
    when.filter(Boolean).join(' · '),
  ];
}

/** Which alert a form is about. */
export function alertHeading(alert: Alert): KnownBlock {
  const { primaryEntity } = alert;
  const problem = `${line(severityOf(alert))} · ${line(problemOf(alert))}`;
  return section(`${bold(nameOf(primaryEntity))}${typeOf(primaryEntity)}\n${problem}`);
}

/** An alert on one line of mrkdwn, for where it stands alone. */
export function alertLine(alert: Alert): string {
  const { primaryEntity, parentEntity } = alert;
  const within = parentEntity
    ? ` in ${bold(nameOf(parentEntity), 150)}${typeOf(parentEntity)}`
    : '';
  const what = `${bold(nameOf(primaryEntity), 150)}${typeOf(primaryEntity)}${within}`;
  const when = [updatedOf(alert), recurrenceOf(alert), statusOf(alert)].filter(Boolean).join(' · ');
  return `${markOf(alert)}${headOf(alert)} · ${what}: ${line(problemOf(alert))} · ${when}`;
}

/** The same in one sentence, for notifications and screen readers. */
export function alertSentence(alert: Alert, sort: Sort): string {
  const what = `${line(severityOf(alert))}: ${line(nameOf(alert.primaryEntity))}, ${line(problemOf(alert))}`;
  return `${[what, momentsOf(alert, sort)].join(', ')}.`;
}

/** One that is over must not look like one that burns. */
function markOf(alert: Alert): string {
  if (isCleared(alert)) return ':white_check_mark: ';
  return severityMarks.get(alert.severity ?? '') ?? '';
}

function headOf(alert: Alert): string {
  const severity = line(severityOf(alert));
  return isCleared(alert) ? `Cleared · ${severity}` : severity;
}

function typeOf(entity: AlertEntity | undefined): string {
  return entity?.type ? ` (${line(inWords(entity.type))})` : '';
}

/** With the moment that a list goes by, or its order could not be seen. */
function momentsOf(alert: Alert, sort: Sort): string {
  if (sort !== 'raised' && sort !== '-raised') return updatedOf(alert);
  const { raisedTimestamp, updatedTimestamp } = alert;
  const raised = raisedTimestamp ? `raised ${ageOf(raisedTimestamp)}` : 'time raised not given';
  const isMore = updatedTimestamp && updatedTimestamp !== raisedTimestamp;
  return isMore ? `${raised}, ${updatedOf(alert)}` : raised;
}

function updatedOf({ updatedTimestamp, raisedTimestamp }: Alert): string {
  if (updatedTimestamp) return `updated ${ageOf(updatedTimestamp)}`;
  return raisedTimestamp ? `raised ${ageOf(raisedTimestamp)}` : 'time not given';
}

function recurrenceOf({ raisedCount }: Alert): string {
  return raisedCount !== undefined && raisedCount > 1 ? `raised ${raisedCount} times` : '';
}

/** Most are active, so a status is worth a word when it is another one. */
function statusOf(alert: Alert): string {
  const { status } = alert;
  if (status === 'active' || isCleared(alert)) return '';
  return status ? `status ${line(inWords(status))}` : 'status not given';
}

function line(text: string): string {
  return safe(text.replaceAll(/\s+/g, ' ').trim(), 150);
}
