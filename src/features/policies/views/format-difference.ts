import { joinToSections, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { limits } from '../../../slack/ui/limits.ts';
import { exactly, readShown, safe } from '../../../slack/ui/mrkdwn.ts';
import { overallWeight, type PolicyChange, type Weight } from '../difference/policy-change.ts';

const words: Record<Weight, string> = {
  weaker: 'Weaker',
  neutral: 'Neutral',
  stronger: 'Stronger',
};

export const plainVerdicts: Record<Weight, string> = {
  weaker: 'This change weakens protection.',
  neutral: "This change doesn't affect protection.",
  stronger: 'This change strengthens protection.',
};

const icons: Record<Weight, string> = { weaker: '🔻', neutral: '⚪', stronger: '🔺' };

/** The difference as lines of mrkdwn: the verdict, then one line per change, in the given order. */
export function formatDifference(changes: PolicyChange[]): string[] {
  return [iconAnd(plainVerdicts, overallWeight(changes)), ...changes.map(formatChange)];
}

function iconAnd(texts: Record<Weight, string>, weight: Weight): string {
  return `${icons[weight]} *${texts[weight]}*`;
}

/** The difference in one line: "🔻 *Weaker* · Retention: 30 days → 7 days (Schedule 1); and 2 more". */
export function summarizeDifference(changes: PolicyChange[]): string {
  return `${iconAnd(words, overallWeight(changes))} · ${listChanges(changes, 2)}`;
}

/** The same within a sentence: "Retention: 30 days → 7 days (Schedule 1); and 2 more". */
export function listChanges(changes: PolicyChange[], maxListed = 5): string {
  const more = changes.length - maxListed;
  return [
    ...changes.slice(0, maxListed).map((change) => {
      // "Schedule removed: … (Schedule 1)" would say twice what was removed.
      const isWholePlace = change.place.startsWith(change.label);
      return `${formatValues(change)}${isWholePlace ? '' : ` (${exactly(change.place, 60)})`}`;
    }),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('; ');
}

/** "🔻 *Weaker* · Schedule 1 (VMware VM backup) · Retention: 30 days → 7 days". */
function formatChange(change: PolicyChange): string {
  const place = exactly(change.place, 120);
  return `${iconAnd(words, change.weight)} · ${place} · ${formatValues(change)}`;
}

function formatValues({ label, before, after }: PolicyChange): string {
  const shown = exactly(label, 120);
  // Only a new policy lacked a name before.
  const added = label === 'Name' ? shown : `${shown} added`;
  if (before === undefined) return `${added}: ${show(after)}`;
  if (after === undefined) return `${shown} removed: ${show(before)}`;
  return `${shown}: ${showBoth(before, after).join(' → ')}`;
}

/** Exactly or, if that takes too much space, from the first visible character on. */
function show(text = ''): string {
  if (text === '') return '`(empty)`';
  const exact = exactly(text);
  return readShown(exact) === text ? exact : safe(text);
}

const shownBefore = 20;

/** Two values: if both would look the same, from shortly before their first difference on. */
function showBoth(before: string, after: string): string[] {
  const shown = [show(before), show(after)];
  if (shown[0] !== shown[1]) return shown;
  let difference = 0;
  while (difference < before.length && before[difference] === after[difference]) difference += 1;
  const start = Math.max(0, difference - shownBefore);
  return [before, after].map((text) => `${start > 0 ? '…' : ''}${exactly(text.slice(start), 299)}`);
}

const maxSection = 2900;
const maxSections = Math.floor(limits.textOfBlocks / maxSection);

/** The lines as texts for the sections of a message, as far as they fit. */
export function differenceSections(lines: string[]): string[] {
  return joinToSections(lines, maxSection).slice(0, maxSections);
}

/** The difference as sections, as far as they fit. */
export function differenceBlocks(changes: PolicyChange[]): KnownBlock[] {
  return differenceSections(formatDifference(changes)).map((text) => section(text));
}

/** Whether a message shows all lines. */
export function fitsDifference(lines: string[]): boolean {
  return differenceSections(lines).join('\n') === lines.join('\n');
}
