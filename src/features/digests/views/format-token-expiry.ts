import { moment } from '../../../slack/ui/mrkdwn.ts';
import { counted } from './format-digest.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** How long the service still takes the token, and what to do. */
export function tokenLine(expiresAt: Date, now: Date): string {
  const leftMs = expiresAt.getTime() - now.getTime();
  const when = moment(expiresAt);
  const days = Math.floor(leftMs / dayMs);
  const said =
    leftMs <= 0
      ? `has expired (${when})`
      : days === 0
        ? `expires today or tomorrow (${when})`
        : `expires in ${counted(days, 'day')} (${when})`;
  return `:warning: *API token* · it ${said}. An admin can enter a new one with \`/belay setup\`.`;
}
