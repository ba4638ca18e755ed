import { isDirectChannel } from '../slack/api/channel.ts';
import { Refusal, type Right } from '../slack/interactions/interaction.ts';
import { notice } from '../slack/ui/blocks.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import { offersBreakGlass } from './break-glass/break-glass-right.ts';
import { operatorRefusal } from './guards.ts';
import { directMessageRefusal } from './views/requested-message.ts';

/** For the form of a request: those who may request the action, or run it without approval. */
export function requesters(action: string): Right {
  return async ({ person, settings }) => {
    const now = await settings();
    if (offersBreakGlass(person, now, action)) return undefined;
    return operatorRefusal(person, now, action);
  };
}

/** Before a form opens. @throws Refusal if its request would be posted where nobody else sees it */
export function requireAudience(
  channelId: string | undefined,
  { approvalsChannel }: Pick<WorkspaceSettings, 'approvalsChannel'>,
): void {
  if (approvalsChannel !== undefined || channelId === undefined) return;
  if (isDirectChannel(channelId)) throw new Refusal(notice(directMessageRefusal));
}
