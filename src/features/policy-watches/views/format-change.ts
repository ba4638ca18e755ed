import { bold, cutMrkdwn, moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { overallWeight, summarizeDifference } from '../../policies/index.ts';
import { isWeakening, type RecordedChange } from '../recorded-change.ts';

/** Lists all recent changes. */
export const changesCommand = '`/belay policies changes`';

type Change = Pick<RecordedChange, 'name' | 'kind' | 'changes'>;

/** What a deletion does to the protection. */
export const deletedVerdict = '🔻 *Weaker* · deleted';

/** "*Gold* · 🔻 *Weaker* · Retention: 30 days → 7 days (SLA set 1)" */
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

/** "outside Belay · Nov 22 at 10:00 PM" */
export function formatOrigin({ madeBy, at }: Pick<RecordedChange, 'madeBy' | 'at'>): string {
  return `${madeBy === 'Belay' ? 'through Belay' : 'outside Belay'} · ${moment(at)}`;
}

/** "7 policy changes · 2 weaken protection" */
export function formatChangeCount(changes: Pick<Change, 'kind' | 'changes'>[]): string {
  const weaker = changes.filter(isWeakening).length;
  const verb = weaker === 1 ? 'weakens' : 'weaken';
  const weakens = weaker > 0 ? ` · ${weaker} ${verb} protection` : '';
  return `${plural(changes.length, 'policy change')}${weakens}`;
}
