import {
  actionsIfAny,
  button,
  context,
  type Message,
  message,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { mention, quote } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { type Clearing, type ClearingProgress, clearingResults } from '../clearing/clearing.ts';
import { maxNoteLength } from './clearing-modal.ts';
import { describeSearch } from './format-search.ts';
import { viewActionId } from './ids.ts';

const maxCauses = 5;

/** Where it was confirmed: how many alerts are cleared so far, and at the end what became of each. */
export function clearingMessage(clearing: Clearing, progress: ClearingProgress): Message {
  const { search, createdBy, confirmedAt, note } = clearing;
  const { results, left, notesMissing, causes } = progress;
  const isGood = results.not_cleared + results.unknown_outcome === 0;
  const icon = left > 0 ? ':hourglass:' : isGood ? ':white_check_mark:' : ':warning:';
  const counts = clearingResults.flatMap((result) =>
    results[result] > 0 ? [`${results[result]} ${result.replaceAll('_', ' ')}`] : [],
  );
  const open = left > 0 ? [`${left} left`] : [];
  const lines = [
    `*${titleOf(progress)}*`,
    `${icon} ${[...counts, ...open, `by ${mention(createdBy)}`].join(' · ')}`,
    ...causes.slice(0, maxCauses).map(({ detail, count }) => `• ${count}: ${detail}`),
    ...(notesMissing > 0 ? [`The note wasn't added to ${plural(notesMissing, 'alert')}.`] : []),
    ...(note === undefined ? [] : [quote(note, maxNoteLength)]),
  ];
  const filter = describeSearch(search, confirmedAt);
  const view = button({
    text: 'View alerts',
    actionId: viewActionId,
    value: encodeValue({ search }),
    accessibilityLabel: 'View alerts that match and are still active',
  });
  return message([
    section(lines.join('\n')),
    ...(filter ? [context(`Filters: ${filter}`)] : []),
    ...actionsIfAny([left === 0 && !isGood && view]),
  ]);
}

function titleOf({ total, left, results: { cleared } }: ClearingProgress): string {
  const alerts = plural(total, 'alert');
  if (left > 0) return `Clearing ${alerts}`;
  return cleared === total ? `Cleared ${alerts}` : `Cleared ${cleared} of ${alerts}`;
}
