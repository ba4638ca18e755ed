import type { Alert, AlertEntity } from '../../dataprotection/alerts.ts';
import { button, type KnownBlock, section } from '../../slack/blocks.ts';
import { encodeValue } from '../../slack/codec.ts';
import { bold, safe } from '../../slack/mrkdwn.ts';
import { longestCarriedId } from './alert-values.ts';
import { detailsActionId } from './ids.ts';
import { ageOf } from './timestamp.ts';
import { capitalized, inWords, nameOf, problemOf, severityOf } from './words.ts';

/** Beside the word, never in its place. */
const severityMarks = new Map([
  ['error', ':large_red_circle: '],
  ['warning', ':large_yellow_circle: '],
]);

/** An alert in the list, with the button that opens all of it. */
export function alertSection(alert: Alert): KnownBlock {
  const mark = severityMarks.get(alert.severity ?? '') ?? '';
  const lines = [
    `${mark}${line(severityOf(alert))} · ${bold(nameOf(alert.primaryEntity), 150)}${typeOf(alert.primaryEntity)}${parentOf(alert)}`,
    line(problemOf(alert)),
    [capitalized(updatedOf(alert)), recurrenceOf(alert), statusOf(alert)]
      .filter(Boolean)
      .join(' · '),
  ];
  // An id that no button can carry leaves the alert without one, not the list without the alert.
  const details =
    alert.id.length <= longestCarriedId
      ? button({
          text: 'Details',
          actionId: detailsActionId,
          value: encodeValue({ alertId: alert.id }),
          accessibilityLabel: `Details of the alert about ${nameOf(alert.primaryEntity)}`,
        })
      : undefined;
  return section(lines.filter(Boolean).join('\n'), details);
}

/** The same in one sentence, for notifications and screen readers. */
export function alertSentence(alert: Alert): string {
  const what = `${line(severityOf(alert))}: ${line(nameOf(alert.primaryEntity))}, ${line(problemOf(alert))}`;
  return `${[what, updatedOf(alert)].filter(Boolean).join(', ')}.`;
}

function typeOf(entity: AlertEntity | undefined): string {
  return entity?.type ? ` (${line(inWords(entity.type))})` : '';
}

function parentOf({ parentEntity }: Alert): string {
  return parentEntity ? ` in ${bold(nameOf(parentEntity), 150)}${typeOf(parentEntity)}` : '';
}

function updatedOf({ updatedTimestamp, raisedTimestamp }: Alert): string {
  if (updatedTimestamp) return `updated ${ageOf(updatedTimestamp)}`;
  return raisedTimestamp ? `raised ${ageOf(raisedTimestamp)}` : 'time not given';
}

function recurrenceOf({ raisedCount }: Alert): string {
  return raisedCount !== undefined && raisedCount > 1 ? `raised ${raisedCount} times` : '';
}

/** Only active alerts are listed, so a status is worth a word when it is another one. */
function statusOf({ status }: Alert): string {
  if (status === 'active') return '';
  return status ? `status ${line(inWords(status))}` : 'status not given';
}

function line(text: string): string {
  return safe(text.replaceAll(/\s+/g, ' ').trim(), 150);
}
