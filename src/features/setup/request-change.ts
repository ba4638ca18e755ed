import { setupChangeAction } from '../../audit-log/registry.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import type { Person } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import type { CurrentSetup } from '../../workspace/workspace.ts';
import type { SecondPerson } from './find-second-person.ts';
import { setupActions } from './setup-action.ts';
import type { SetupContext } from './setup-context.ts';

type ChangeRequest = {
  teamId: string;
  enterpriseId: string | undefined;
  /** The admin who requests it. */
  person: Person;
  slack: SlackClient;
  /** Where it is posted without an approvals channel. */
  channelId: string | undefined;
  /** Stored already. */
  change: SetupChange;
  current: CurrentSetup;
  secondPerson: SecondPerson;
  reason: string;
  onRequested?: (() => Promise<void>) | undefined;
};

/**
 * Requests the approval of a stored change. Resolves to the reply for the admin; undefined in a
 * workspace without a connection, where nothing has to be approved.
 */
export async function requestChange(
  { change, current, secondPerson, person, ...request }: ChangeRequest,
  { approvals, openSettings }: Pick<SetupContext, 'approvals' | 'openSettings'>,
): Promise<Message | undefined> {
  const { settings, connection } = current;
  if (!connection) return undefined;
  const { teamId, slack } = request;
  const { changeId, basedOn } = change;
  const target = openSettings({
    teamId,
    id: changeId,
    connectionId: connection.id,
    requester: person.slackUserId,
    decidedBy: undefined,
  });
  const { approvalsChannel: named } = settings;
  // If the approvals channel is gone, an admin must still be able to choose another.
  const isReachable = named !== undefined && (await canPostInChannel(slack, named));
  return approvals.request({
    ...request,
    requester: person,
    prepared: setupActions[setupChangeAction].prepare(
      { ...change, decidedBy: secondPerson.decidedBy },
      { revision: basedOn, isSaved: false },
      target,
    ),
    viewId: changeId,
    settings: { ...settings, approvalsChannel: isReachable ? named : undefined },
  });
}
