import { WebClient } from '@slack/web-api';
import { people } from '../../playground/people.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import type { Workspace } from '../../playground/slack/workspace.ts';

type Input = {
  slack: LocalSlack;
  workspace: Workspace;
  samples: Pick<Message, 'text' | 'blocks'>[];
  count: number;
};

/** Posts copies of the samples in #ops as the app, two thirds of them visible to Ana only. */
export async function fillChannel({ slack, workspace, samples, count }: Input): Promise<void> {
  const client = new WebClient(workspace.app.botToken, { slackApiUrl: slack.apiUrl });
  const channel = workspace.channels.find(({ name }) => name === 'ops')?.channelId ?? '';
  for (let index = 0; index < count; index += 1) {
    const sample = samples[index % samples.length];
    if (!sample) throw new Error('there are no samples');
    const { text, blocks } = sample;
    const content = { channel, text, ...(blocks ? { blocks } : {}) };
    if (index % 3 === 0) await client.chat.postMessage(content);
    else await client.chat.postEphemeral({ ...content, user: people.ana });
  }
}
