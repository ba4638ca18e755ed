import { auditedActions, type VerbForms } from '../../audit-log/registry.ts';
import type { KnownBlock } from '../../slack/ui/blocks.ts';
import { moment, stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { table } from '../../slack/ui/table.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Action } from '../action.ts';
import { isCancelStep } from '../action-steps.ts';
import { type Approval, isAboutSeveral, nextStepAt, type Run } from '../approval.ts';
import type { BindAction } from '../define-action.ts';
import { countRuns, groupOf, type RunGroup } from '../several/count-runs.ts';

/** A subject of a request about several as plain text, and what happened. */
export type SubjectResult = { group: RunGroup; subject: string; result: string };

/** Whether a request about several subjects was approved, so that each has its own result. */
export function hasResults(approval: Pick<Approval, 'runs' | 'decidedAt' | 'state'>): boolean {
  const { decidedAt, state } = approval;
  const isApproved = decidedAt !== undefined && !['denied', 'withdrawn'].includes(state);
  return isApproved && isAboutSeveral(approval);
}

/** The summary of an approved request: "47 disabled · 2 not changed · 1 failed". */
export function formatRunCounts(runs: Run[], action: string): string {
  const { past } = verbOf(action);
  const of = countRuns(runs);
  const counts: [number, string][] = [
    [of.done, past],
    [of.canceled, 'canceled'],
    [of.unneeded + of.voided, 'not changed'],
    [of.stopped, `not ${past}`],
    [of.failed, 'failed'],
    [of.unknown, 'with unknown outcome'],
    [of.scheduled, 'scheduled'],
    [of.running, 'running'],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(' · ');
}

/** The summary, and what happens next. */
export function formatResults(approval: Approval, { cancellation }: Action): string {
  const summary = `*${formatRunCounts(approval.runs, approval.action)}*`;
  const nextAt = nextStepAt(approval);
  if (!nextAt) return summary;
  const condition = cancellation ? ` ${cancellation.texts.condition}` : '';
  return `${summary}\nThe scheduled changes start ${moment(nextAt)}${condition}.`;
}

export function resultsOf(approval: Approval, bind: BindAction): SubjectResult[] {
  return approval.runs.map((run) => {
    const action = bind({ ...approval, runs: [run] });
    return { subject: action.audited.subject, ...resultOf(run, action, approval.action) };
  });
}

function resultOf(run: Run, action: Action, name: string): Omit<SubjectResult, 'subject'> {
  const { state, outcome, step } = run;
  const canceled = isCancelStep(action, step) ? action.cancellation?.texts : undefined;
  const group = groupOf(run);
  const why = stripMarkup(outcome ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const { past } = verbOf(name);
  const words: Record<RunGroup, string> = {
    done: capitalize(past),
    canceled: 'Deletion canceled',
    unneeded: 'No change was needed',
    voided: why ? `Not changed: ${why}` : 'Not changed',
    stopped: why ? `Not ${past}: ${why}` : `Not ${past}`,
    failed: [canceled?.failed ?? (why ? 'Failed:' : 'Failed'), why].join(' ').trim(),
    unknown: canceled?.unknown ?? "Unknown outcome. Check the service's portal.",
    scheduled: 'Scheduled',
    running: state === 'approved' && why ? `Waiting: ${why}` : 'Running',
  };
  return { group, result: words[group] };
}

/** Results that need attention come first. */
const order: RunGroup[] = [
  ...(['failed', 'unknown', 'stopped', 'voided', 'running', 'scheduled'] as const),
  ...(['unneeded', 'canceled', 'done'] as const),
];

/** Characters of a cell: 50 rows have to fit into a table. */
const maxSubject = 90;
const maxResult = 100;

/** One row for each subject. */
export function resultBlocks(results: SubjectResult[]): KnownBlock[] {
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
        { title: 'Result', max: maxResult, isShown: true },
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
