import type { Clock } from '../../clock.ts';
import { describeCause } from '../../describe-failure.ts';
import { type Interaction, Refusal } from '../../slack/interactions/interaction.ts';
import { type KnownBlock, section } from '../../slack/ui/blocks.ts';
import { commandButton } from '../../slack/ui/command-button.ts';
import { plural } from '../../slack/ui/words.ts';
import { defaultSearch } from './alert-search.ts';
import { readMatching } from './read-matching.ts';

const countMs = 2000;
const maxServicePages = 200;

/** The number of active errors, or why it is not known. */
export async function describeErrors(
  { service }: Pick<Interaction, 'service'>,
  { clock }: { clock: Clock },
): Promise<KnownBlock> {
  try {
    const { client } = await service();
    const search = { ...defaultSearch, severities: ['error'] };
    const { matched, isComplete } = await readMatching(client, search, {
      now: clock(),
      signal: AbortSignal.timeout(countMs),
      maxServicePages,
    });
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
