import { auditedActions, type VerbForms } from '../../audit-log/registry.ts';
import type { KnownBlock } from '../../slack/ui/blocks.ts';
import { moment, stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { table } from '../../slack/ui/table.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Action } from '../action.ts';
import type { Approval } from '../approval.ts';
import { groupOf, type Tally } from '../bulk/tally.ts';

/** A subject of a bulk request as plain text, and what happened. */
export type BulkResult = { group: ReturnType<typeof groupOf>; subject: string; result: string };

/** Whether a bulk request was approved, so that each subject has its own result. */
export function hasResults({ tally, decidedAt, state }: Approval): boolean {
  return tally !== undefined && decidedAt !== undefined && !['denied', 'withdrawn'].includes(state);
}

/** The summary of an approved bulk request: "47 disabled · 2 not changed · 1 failed". */
export function formatTally(tally: Tally, action: string): string {
  const { past } = verbOf(action);
  const counts: [number, string][] = [
    [tally.done, past],
    [tally.canceled, 'canceled'],
    [tally.unneeded + tally.voided, 'not changed'],
    [tally.stopped, `not ${past}`],
    [tally.failed, 'failed'],
    [tally.unknown, 'with unknown outcome'],
    [tally.scheduled, 'scheduled'],
    [tally.running, 'running'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(' · ');
}

/** The summary, and what happens next. */
export function formatBulkOutcome(
  tally: Tally,
  { action: name }: Pick<Approval, 'action'>,
  { cancellation }: Action,
): string {
  const summary = `*${formatTally(tally, name)}*`;
  if (tally.scheduled === 0) return summary;
  const when = tally.nextAt ? moment(tally.nextAt) : 'soon';
  const condition = cancellation ? ` ${cancellation.texts.condition}` : '';
  return `${summary}\nThe scheduled changes start ${when}${condition}.`;
}

export function resultOf(child: Approval, { audited }: Action): BulkResult {
  const { state, wakeAt, sent = [], action, outcome } = child;
  const group = groupOf({ state, wakeAt, isSent: sent.length > 0 });
  const why = stripMarkup(outcome ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const { past } = verbOf(action);
  const words: Record<BulkResult['group'], string> = {
    done: capitalize(past),
    canceled: 'Deletion canceled',
    unneeded: 'No change was needed',
    voided: why ? `Not changed: ${why}` : 'Not changed',
    stopped: why ? `Not ${past}: ${why}` : `Not ${past}`,
    failed: why ? `Failed: ${why}` : 'Failed',
    unknown: 'Unknown outcome. Check the portal of the service.',
    scheduled: 'Scheduled',
    running: state === 'approved' && why ? `Waiting: ${why}` : 'Running',
  };
  return { group, subject: audited.subject, result: words[group] };
}

/** Results that need attention come first. */
const order: BulkResult['group'][] = [
  ...(['failed', 'unknown', 'stopped', 'voided', 'running', 'scheduled'] as const),
  ...(['unneeded', 'canceled', 'done'] as const),
];

/** Characters of a cell: 50 rows have to fit into a table. */
const maxSubject = 90;
const maxResult = 100;

/** One row for each subject. */
export function resultBlocks(results: BulkResult[]): KnownBlock[] {
  const rows = results
    .toSorted(
      (one, other) =>
        order.indexOf(one.group) - order.indexOf(other.group) ||
        one.subject.localeCompare(other.subject),
    )
    .map(({ subject, result }) => [subject, result]);
  return [
    table(
      [
        { title: 'User', max: maxSubject },
        { title: 'Result', max: maxResult },
      ],
      rows,
    ),
  ];
}

const unknownVerb: VerbForms = { plain: 'change', past: 'changed', progressive: 'changing' };

function verbOf(action: string): VerbForms {
  const known = Object.entries(auditedActions).find(([name]) => name === action);
  return known ? known[1].verb : unknownVerb;
}
