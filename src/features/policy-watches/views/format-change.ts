import { bold, cutMrkdwn, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { overallWeight, summarizeDifference } from '../../policies/index.ts';
import { isWeakening, type RecordedChange } from '../recorded-change.ts';

/** Lists all recent changes. */
export const changesCommand = '`/belay policies changes`';

type Change = Pick<RecordedChange, 'name' | 'kind' | 'changes'>;

/** What a deletion does to the protection. */
const deletedVerdict = '🔻 *Weaker* · deleted';

/** "*Gold* · 🔻 *Weaker* · Retention: 30 days → 7 days (Schedule 1)" */
export function formatChange({ name, kind, changes }: Change): string {
  return cutMrkdwn(`${bold(name, 100)} · ${formatWhat(kind, changes)}`, 500);
}

function formatWhat(kind: Change['kind'], changes: Change['changes']): string {
  switch (kind) {
    case 'deleted':
      return deletedVerdict;
    case 'created':
      return `${overallWeight(changes) === 'stronger' ? '🔺 *Stronger*' : '⚪ *Neutral*'} · created`;
    case 'changed':
      return summarizeDifference(changes);
  }
}

/** "outside Belay · found Nov 22 at 10:00 PM" */
export function formatOrigin({ madeBy, at }: Pick<RecordedChange, 'madeBy' | 'at'>): string {
  return madeBy ? `through Belay · ${moment(at)}` : `outside Belay · found ${moment(at)}`;
}

/** Like `formatOrigin`, with mentions of the requester and approver and a link to the request. Mrkdwn. */
export function formatOriginInFull(change: RecordedChange, link: string | undefined): string {
  const { madeBy, at } = change;
  if (!madeBy) return formatOrigin(change);
  const { requester, decidedBy } = madeBy;
  return [
    `requested by ${mention(requester)}${decidedBy ? `, approved by ${mention(decidedBy)}` : ''}`,
    moment(at),
    ...(link ? [link] : []),
  ].join(' · ');
}

/** " · 2 weaken protection"; empty if none does. */
export function formatWeakening(changes: Pick<Change, 'kind' | 'changes'>[]): string {
  const weaker = changes.filter(isWeakening).length;
  return weaker > 0 ? ` · ${weaker} ${weaker === 1 ? 'weakens' : 'weaken'} protection` : '';
}

/** For a list that may lack changes because the policies can't be read. */
export function formatUnread(since: Date): string {
  return `:warning: Belay hasn't been able to read policies since ${moment(since)}. Changes made outside Belay since then are reported later.`;
}

/** For a list that lacks what happened before `until`, when no watch or digest needed the policies. */
export function formatUnobserved(until: Date): string {
  return `:warning: Belay has read policies since ${moment(until)}. Changes made outside Belay before then are unknown.`;
}
