import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Interaction } from '../../slack/listeners/interaction.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { plural } from '../../slack/ui/words.ts';
import { defaultSearch } from './alert-search.ts';
import { readMatching } from './read-matching.ts';

const countMs = 2000;
const maxServicePages = 200;

/** The number of active errors, or why it is not known, as one line of mrkdwn. */
export async function describeErrors(
  { teamId, connection }: Pick<Interaction, 'teamId' | 'connection'>,
  {
    openService,
    notConnected,
    describeCause,
    clock,
  }: {
    openService: (
      teamId: string,
      which: Interaction['connection'],
    ) => Promise<{ client: ServiceClient } | undefined>;
    notConnected: string;
    describeCause: (error: unknown) => string;
    clock: Clock;
  },
): Promise<string> {
  try {
    const service = await openService(teamId, connection);
    if (!service) return notConnected;
    const search = { ...defaultSearch, severities: ['error'] };
    const { matched, isComplete } = await readMatching(service.client, search, {
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
    return `:warning: Active errors unavailable. ${describeCause(error)}`;
  }
}
