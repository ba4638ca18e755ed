import { z } from 'zod';
import type { ActionInteraction, ActionResponse } from '../../../slack/listeners/interaction.ts';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../../slack/listeners/subcommand.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { type ModalView, openPendingModal } from '../../../slack/ui/modal.ts';
import { isAdmin } from '../../workspaces/index.ts';
import type { SetupFormDependencies } from '../fill-setup-form.ts';
import { adminsOnly, type SubmitDependencies } from '../submit-setup.ts';
import { connectionTitle } from '../views/connection-modal.ts';
import {
  addConnectionActionId,
  connectionCallbackId,
  editConnectionActionId,
  makeDefaultActionId,
  pinChannelActionId,
  removeConnectionActionId,
  unpinChannelActionId,
} from '../views/ids.ts';
import { testingModal } from '../views/setup-modal.ts';
import { reviewConnection } from './change-connections.ts';
import { connectionMetadata, connectionRef } from './connection-form.ts';
import { filledConnectionModal } from './open-connection-form.ts';
import { type PinDependencies, pinByName, pinHere, unpinHere } from './pin-channel.ts';
import { showConnections } from './show-connections.ts';
import { submitConnection } from './submit-connection.ts';

export type ConnectionsDependencies = SubmitDependencies & SetupFormDependencies & PinDependencies;

const pending = { title: connectionTitle, waiting: 'Loading the connection…' };

/** `/belay connection`: all members see the connections, admins change them. */
export function registerConnections(
  listeners: Listeners,
  dependencies: ConnectionsDependencies,
): Subcommand[] {
  listeners.action(addConnectionActionId, z.object({}), (call) =>
    openForAdmin(call, () =>
      filledConnectionModal(call, { originId: undefined, channelId: call.channelId }, dependencies),
    ),
  );
  listeners.action(editConnectionActionId, connectionRef, (call) =>
    openForAdmin(call, () =>
      filledConnectionModal(
        call,
        { originId: call.value.originId, channelId: call.channelId },
        dependencies,
      ),
    ),
  );
  listeners.action(makeDefaultActionId, connectionRef, (call) =>
    openForAdmin(call, () => reviewConnection(call, 'make-default', dependencies)),
  );
  listeners.action(removeConnectionActionId, connectionRef, (call) =>
    openForAdmin(call, () => reviewConnection(call, 'remove', dependencies)),
  );

  listeners.action(pinChannelActionId, connectionRef, async ({ value, channelId, ...call }) =>
    channelId
      ? { reply: await pinHere({ ...call, channelId }, value.originId, dependencies) }
      : undefined,
  );
  listeners.action(unpinChannelActionId, connectionRef, async ({ channelId, ...call }) =>
    channelId ? { reply: await unpinHere({ ...call, channelId }, dependencies) } : undefined,
  );

  listeners.verifiedSubmission(connectionCallbackId, {
    metadata: connectionMetadata,
    pending: testingModal(connectionTitle),
    verify: (call) => submitConnection(call, dependencies),
  });

  return [
    {
      name: 'connection',
      about: 'workspace',
      usage: 'connection [use <name>]',
      summary: 'Show the connections to the service, and set the connection of this channel',
      details: [
        '`on:<name>` in any command uses that connection once: `/belay alerts on:europe`',
        '`/belay connection use europe` sets the connection of this channel (approvers and admins)',
        '`/belay connection use default` returns this channel to the default connection',
      ],
      async run(call) {
        const [verb, name, ...rest] = call.text.trim().split(/\s+/);
        if (!verb) return showConnections(call, dependencies);
        if (verb.toLowerCase() !== 'use' || !name || rest.length > 0) return usage;
        return pinByName(call, name, dependencies);
      },
    },
  ];
}

async function openForAdmin(
  call: ActionInteraction<unknown>,
  work: () => Promise<ModalView>,
): Promise<ActionResponse | undefined> {
  if (!isAdmin(call.person)) return { reply: notice(adminsOnly) };
  await openPendingModal(call, pending, work);
  return undefined;
}

const usage = notice(
  'To see the connections, run `/belay connection`. To set the connection of this channel, run `/belay connection use <name>`.',
);
