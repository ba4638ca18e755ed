import { describeCause } from '../../describe-failure.ts';
import { type Interaction, Refusal } from '../../slack/interactions/interaction.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { plural } from '../../slack/ui/words.ts';
import { type AlertSearch, defaultSearch } from './alert-search.ts';
import { type MatchingAlerts, readMatching } from './read-matching.ts';

const countMs = 2000;
const maxServicePages = 200;

/**
 * Those that match the search now, as far as they can be read at once.
 * @throws like `readMatching`, and Refusal
 */
export async function readMatchingAtOnce(
  { service }: Pick<Interaction, 'service'>,
  search: AlertSearch,
  now: Date,
): Promise<MatchingAlerts> {
  const { client } = await service();
  return readMatching(client, search, {
    now,
    signal: AbortSignal.timeout(countMs),
    maxServicePages,
  });
}

/** The number of active errors, or why it is not known. */
export async function describeErrors(
  call: Pick<Interaction, 'service'>,
  now: Date,
): Promise<KnownBlock> {
  try {
    const search = { ...defaultSearch, severities: ['error'] };
    const { matched, isComplete } = await readMatchingAtOnce(call, search, now);
    if (matched.length === 0) {
      return section(
        isComplete
          ? ':white_check_mark: No active errors'
          : ':hourglass: No active errors found so far: reading took too long',
        commandButton({ text: 'View alerts', line: 'alerts' }),
      );
    }
    const least = isComplete ? '' : 'At least ';
    const errors = plural(matched.length, 'active error');
    const line = 'alerts severity:error';
    return section(
      `:red_circle: *${least}${errors}*`,
      commandButton({ text: `View ${plural(matched.length, 'error')}`, line }),
    );
  } catch (error) {
    if (error instanceof Refusal) return section(error.answer.text);
    return section(`:warning: Active errors unavailable. ${describeCause(error)}`);
  }
}
