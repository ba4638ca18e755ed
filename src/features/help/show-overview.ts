import type { CommandInteraction } from '../../slack/listeners/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { HelpTopic } from './topics.ts';
import { overviewMessage } from './views/help-message.ts';

/** What a feature has to say here to this person, as mrkdwn; undefined for nothing. */
export type OverviewPart = (call: CommandInteraction) => Promise<string | undefined>;

/** A part that takes longer is left out. */
const maxPartMs = 2500;

/** What the person can do next in this channel, then the short help. */
export async function showOverview(
  call: CommandInteraction,
  { parts, topics }: { parts: readonly OverviewPart[]; topics: HelpTopic[] },
): Promise<Message> {
  const described = await Promise.all(
    parts.map((part) =>
      Promise.race([part(call), leftOut()]).catch((error: unknown) => {
        call.log.warn({ err: error }, 'a part of the overview could not be read');
        return undefined;
      }),
    ),
  );
  return overviewMessage(
    described.filter((one) => one !== undefined),
    topics,
  );
}

async function leftOut(): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, maxPartMs).unref());
}
