import PQueue from 'p-queue';
import { monotonicClock } from '../../clock.ts';
import { listMembers } from '../../slack/api/channel.ts';
import { isUnreachableChannel } from '../../slack/api/error-codes.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';

export type ChannelMembers = ReturnType<typeof createChannelMembers>;

/** How long the members of a channel are remembered. */
const membersMs = 600_000;
const maxConcurrent = 5;
const maxKnown = 1000;

/**
 * Reads the members of channels for all Home tabs of this process: a thousand people who open theirs
 * cost as many calls as one. Slack's list of the channels of one person takes 50 calls a minute.
 * Nobody is a member of a channel that Belay can't read.
 */
export function createChannelMembers() {
  const known = new Map<string, { members: Promise<Set<string>>; readAt: number }>();
  const queue = new PQueue({ concurrency: maxConcurrent });

  async function readMembers(slack: SlackClient, channelId: string): Promise<Set<string>> {
    try {
      return new Set(await listMembers(slack, channelId));
    } catch (error) {
      if (isUnreachableChannel(error)) return new Set();
      throw error;
    }
  }

  return {
    /** Whether the person is in the channel. @throws when Slack can't be asked */
    async includes(slack: SlackClient, channelId: string, slackUserId: string): Promise<boolean> {
      const key = `${slack.teamId} ${channelId}`;
      const readAt = monotonicClock();
      let found = known.get(key);
      if (!found || readAt - found.readAt >= membersMs) {
        if (known.size >= maxKnown) known.clear();
        found = { members: queue.add(() => readMembers(slack, channelId)), readAt };
        known.set(key, found);
        found.members.catch(() => known.delete(key));
      }
      return (await found.members).has(slackUserId);
    },
  };
}
