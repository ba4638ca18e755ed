import { safe } from '../../../slack/ui/mrkdwn.ts';
import { overallWeight, type PolicyChange, type Weight } from '../difference/policy-change.ts';

const words: Record<Weight, string> = {
  weaker: '🔻 *Weaker*',
  neutral: '⚪ *Neutral*',
  stronger: '🔺 *Stronger*',
};

const verdicts: Record<Weight, string> = {
  weaker: '🔻 *This change weakens protection.*',
  neutral: "⚪ *This change doesn't affect protection.*",
  stronger: '🔺 *This change strengthens protection.*',
};

const maxPart = 300;

/** The difference as lines of mrkdwn: the verdict, then one line per change, in the given order. */
export function formatDifference(changes: PolicyChange[]): string[] {
  return [formatVerdict(changes), ...changes.map(formatChange)];
}

/** "This change weakens protection." */
export function formatVerdict(changes: PolicyChange[]): string {
  return verdicts[overallWeight(changes)];
}

/** "🔻 *Weaker* · SLA set 1 (VMware VM backup) · Retention: 30 days → 7 days". */
function formatChange({ place, label, before, after, weight }: PolicyChange): string {
  const shown = safe(label, 120);
  const what =
    before === undefined
      ? `${shown} added: ${show(after)}`
      : after === undefined
        ? `${shown} removed: ${show(before)}`
        : `${shown}: ${show(before)} → ${show(after)}`;
  return [words[weight], safe(place, 120), what].join(' · ');
}

function show(text: string | undefined): string {
  return text ? safe(text, maxPart) : '(empty)';
}
