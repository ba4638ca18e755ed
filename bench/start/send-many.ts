import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { WorkspacePerson } from '../../playground/slack/workspace.ts';
import { memberOf } from '../workspaces/member.ts';

/** Below Belay's limit of commands per person and minute. */
const perPerson = 50;
const atOnce = 8;
const channelId = 'C0OPS00001';

/** Enough people to send this number of commands without reaching the limit. */
export function peopleFor(commands: number, teamId: string): WorkspacePerson[] {
  const count = Math.ceil(commands / perPerson);
  return Array.from({ length: count }, (_, index) => memberOf(teamId, index));
}

/** Each of these people sends `/belay help` fifty times, a few of them at once. @throws if Slack gets no answer. */
export async function sendMany(slack: LocalSlack, people: WorkspacePerson[]): Promise<void> {
  const waiting = people.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const { slackUserId } of waiting) {
        for (let sent = 0; sent < perPerson; sent += 1) {
          const text = '/belay help';
          const { result } = await slack.perform(slackUserId, { type: 'send', channelId, text });
          if (result !== 'ok') throw new Error(`a command was answered with ${result}`);
        }
      }
    }),
  );
}
