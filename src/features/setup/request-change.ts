import { setupChangeAction } from '../../audit-log/registry.ts';
import { canPostInChannel } from '../../slack/api/channel.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import type { CurrentSetup } from '../../workspace/workspace.ts';
import type { SecondPerson } from './find-second-person.ts';
import { setupActions } from './setup-action.ts';
import type { SetupContext } from './setup-context.ts';

type ChangeRequest = {
  /** Where it is posted without an approvals channel. */
  channelId: string | undefined;
  /** Stored already. */
  change: SetupChange;
  current: CurrentSetup;
  secondPerson: SecondPerson;
  /** Who runs the command, if that isn't the admin. */
  submittedBy?: string | undefined;
  reason: string;
  onRequested?: (() => Promise<void>) | undefined;
};

/**
 * Requests the approval of a stored change in the name of an admin. Resolves to the reply for the admin;
 * undefined in a workspace without a connection, where nothing has to be approved.
 */
export async function requestChange(
  call: Pick<Interaction, 'teamId' | 'person' | 'slack'>,
  { change, current, secondPerson, ...request }: ChangeRequest,
  { approvals, openSettings }: Pick<SetupContext, 'approvals' | 'openSettings'>,
): Promise<Message | undefined> {
  const { teamId, person, slack } = call;
  const { settings, connection } = current;
  if (!connection) return undefined;
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
  const reachable = { ...settings, approvalsChannel: isReachable ? named : undefined };
  return approvals.request(
    { teamId, person, slack, viewId: changeId, settings: async () => reachable },
    {
      ...request,
      prepared: setupActions[setupChangeAction].prepare(
        { ...change, decidedBy: secondPerson.decidedBy, submittedBy: request.submittedBy },
        { revision: basedOn, isSaved: false },
        target,
      ),
    },
  );
}
