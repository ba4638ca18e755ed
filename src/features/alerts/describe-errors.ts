import type { Clock } from '../../clock.ts';
import { describeCause } from '../../describe-failure.ts';
import { type Interaction, Refusal } from '../../slack/interactions/interaction.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import { defaultSearch } from './alert-search.ts';
import { readMatching } from './read-matching.ts';

const countMs = 2000;
const maxServicePages = 200;

/** The number of active errors, or why it is not known, as one line of mrkdwn. */
export async function describeErrors(
  { service }: Pick<Interaction, 'service'>,
  { clock }: { clock: Clock },
): Promise<string> {
  try {
    const { client } = await service();
    const search = { ...defaultSearch, severities: ['error'] };
    const { matched, isComplete } = await readMatching(client, search, {
      now: clock(),
      signal: AbortSignal.timeout(countMs),
      maxServicePages,
    });
    if (matched.length === 0) {
      return isComplete
        ? ':white_check_mark: No active errors'
        : `:hourglass: No active errors found so far: reading took too long · ${code('/belay alerts severity:error')}`;
    }
    const least = isComplete ? '' : 'At least ';
    const errors = plural(matched.length, 'active error');
    return `:red_circle: *${least}${errors}* · ${code('/belay alerts severity:error')}`;
  } catch (error) {
    if (error instanceof Refusal) return error.answer.text;
    return `:warning: Active errors unavailable. ${describeCause(error)}`;
  }
}
