import { moment, safeName, stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { capitalize } from '../../slack/ui/words.ts';
import type { Action } from '../action.ts';
import { type Approval, isAboutSeveral, nextStepAt } from '../approval.ts';
import type { ApprovalState } from '../approval-state.ts';
import { countRuns, groupOf } from '../several/count-runs.ts';
import { isRetrying } from './format-state.ts';

type Title = {
  icon: string;
  word: string;
  /** What follows "This request": "was denied". */
  predicate: string;
};

const running: Title = { icon: '🔄', word: 'Running', predicate: 'is already running' };
const canceling: Title = { icon: '🔄', word: 'Canceling', predicate: 'is already being canceled' };

const partlyCompleted: Title = {
  icon: '⚠',
  word: 'Partly completed',
  predicate: 'was completed in part',
};

const titles: Record<ApprovalState, Title> = {
  pending: { icon: '⏳', word: 'Pending', predicate: 'is pending' },
  approved: running,
  running: running,
  scheduled: { icon: '🕒', word: 'Scheduled', predicate: 'was approved' },
  completed: { icon: '✅', word: 'Completed', predicate: 'was completed' },
  canceled: { icon: '🛑', word: 'Canceled', predicate: 'was canceled' },
  failed: { icon: '❌', word: 'Failed', predicate: 'failed' },
  outcome_unknown: { icon: '❓', word: 'Unknown outcome', predicate: 'has an unknown outcome' },
  denied: { icon: '⛔', word: 'Denied', predicate: 'was denied' },
  expired: { icon: '⌛', word: 'Expired', predicate: 'expired' },
  withdrawn: { icon: '↩', word: 'Withdrawn', predicate: 'was withdrawn' },
  voided: { icon: '🚫', word: 'Voided', predicate: 'is no longer valid' },
};

/** The state as an icon and a word: "✅ Completed". Break-glass comes first. */
export function formatTitle(approval: Approval, action: Action): string {
  const { icon, word } = titleOf(approval, action);
  return approval.breakGlass ? `🚨 Break-glass: ${word.toLowerCase()}` : `${icon} ${word}`;
}

/** What the request is about: plain text that shows nothing hidden. "Disable Kim Lee (kim.lee@example.com)". */
export function formatSubject({ breakGlass }: Approval, { summary }: Action): string {
  const what = stripMarkup(summary);
  return breakGlass ? `🚨 Break-glass: ${what}` : capitalize(what);
}

/** The state and the facts about it, in one line of mrkdwn. The facts may begin with its word. */
export function formatStateLine(approval: Approval, action: Action, facts: string[]): string {
  const { icon, word } = titleOf(approval, action);
  const [first = '', ...rest] = facts.filter(Boolean);
  const isRepeated = first.startsWith(`${word} `);
  const state = isRepeated ? `*${word}*${first.slice(word.length)}` : `*${word}*`;
  return [`${icon} ${state}`, ...(first && !isRepeated ? [first] : []), ...rest].join(' · ');
}

/** The state as a sentence: "This request was denied." */
export function describeState(approval: Approval, action: Action): string {
  return `This request ${titleOf(approval, action).predicate}.`;
}

/** The connection that a request is on, in a line about it: "on Production". None if there is only one. */
export function formatConnection({ connectionName }: Pick<Approval, 'connectionName'>): string[] {
  return connectionName ? [`on ${safeName(connectionName)}`] : [];
}

/** What happens next to an open request, in a line about it, and when: mrkdwn. */
export function formatDue(approval: Approval): string[] {
  if (approval.state === 'pending') return [`expires ${moment(approval.expiresAt)}`];
  const nextAt = nextStepAt(approval);
  return nextAt ? [`next step ${moment(nextAt)}`] : [];
}

function titleOf(approval: Approval, action: Action): Title {
  const { state, runs } = approval;
  if (state === 'failed' && isAboutSeveral(approval)) {
    const { done, canceled } = countRuns(runs);
    if (done + canceled > 0) return partlyCompleted;
  }
  const isRunning = ['approved', 'running'].includes(state) || isRetrying(approval, action);
  if (isRunning) {
    const underWay = runs.filter((run) => groupOf(run) === 'running');
    return underWay.every(({ canceledBy }) => canceledBy) ? canceling : running;
  }
  return titles[state];
}
