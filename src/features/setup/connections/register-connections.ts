import { z } from 'zod';
import type { Listeners } from '../../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../../slack/listeners/subcommand.ts';
import { notice, section } from '../../../slack/ui/blocks.ts';
import { noticeModal, openPendingModal } from '../../../slack/ui/modal.ts';
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
  for (const [actionId, schema] of [
    [addConnectionActionId, z.object({ originId: z.undefined().optional() })],
    [editConnectionActionId, connectionRef],
  ] as const) {
    listeners.action<{ originId?: string | undefined }>(actionId, schema, async (call) => {
      const { person, channelId, value } = call;
      if (!person.isAdmin) return { reply: notice(adminsOnly) };
      await openPendingModal(call, pending, () =>
        filledConnectionModal(call, { originId: value.originId, channelId }, dependencies),
      );
      return undefined;
    });
  }

  for (const [actionId, kind] of [
    [makeDefaultActionId, 'make-default'],
    [removeConnectionActionId, 'remove'],
  ] as const) {
    listeners.action(actionId, connectionRef, async (call) => {
      if (!call.person.isAdmin) return { reply: notice(adminsOnly) };
      await openPendingModal(call, pending, () => reviewConnection(call, kind, dependencies));
      return undefined;
    });
  }

  for (const actionId of [pinChannelActionId, unpinChannelActionId]) {
    listeners.action(actionId, connectionRef, async ({ value, channelId, ...call }) => {
      if (!channelId) return undefined;
      const place = { ...call, channelId };
      return {
        reply: await (actionId === pinChannelActionId
          ? pinHere(place, value.originId, dependencies)
          : unpinHere(place, dependencies)),
      };
    });
  }

  listeners.verifiedSubmission(connectionCallbackId, {
    metadata: connectionMetadata,
    pending: noticeModal(connectionTitle, [
      section('Testing the connection… Nothing is saved until the test succeeds.'),
    ]),
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

const usage = notice(
  'To see the connections, run `/belay connection`. To set the connection of this channel, run `/belay connection use <name>`.',
);
