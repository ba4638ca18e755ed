import { mayPostIn } from '../../slack/api/channel.ts';
import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { SetupForm } from './setup-form.ts';
import { setupBlocks } from './views/ids.ts';

const maxApprovers = 20;

/** Refuses approvers who could never decide and a channel Belay cannot post in, by block id. */
export async function checkSlackChoices(
  { approvers, approvalsChannelId }: SetupForm,
  { slack, teamId }: { slack: SlackClient; teamId: string },
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  if (approvers.length > maxApprovers) {
    errors[setupBlocks.approvers] = `Name at most ${maxApprovers} people.`;
  } else {
    const people = await Promise.all(approvers.map((id) => readPerson(slack, teamId, id)));
    if (people.some(({ standing }) => standing !== 'member')) {
      errors[setupBlocks.approvers] =
        'Only active full members of this workspace can decide; no guests, bots or people from elsewhere.';
    }
  }
  if (approvalsChannelId && !(await mayPostIn(slack, approvalsChannelId))) {
    errors[setupBlocks.approvalsChannel] =
      'Belay is not in this channel. Invite it there first, with /invite @Belay.';
  }
  return errors;
}
