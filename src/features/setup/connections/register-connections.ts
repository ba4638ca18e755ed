import { z } from 'zod';
import { tokenExpiry } from '../../../dataprotection/connection.ts';
import type {
  ActionInteraction,
  CommandInteraction,
} from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { notConnected } from '../../../workspace/open-service.ts';
import { shownRights } from '../../../workspace/permissions.ts';
import type {
  ConnectionSummary,
  ConnectionTarget,
  CurrentSetup,
} from '../../../workspace/workspace.ts';
import { settingsChange } from '../build-change.ts';
import { planChange } from '../plan-change.ts';
import type { SetupContext } from '../setup-context.ts';
import { reviewChange } from '../submit-change.ts';
import { needs } from '../submit-setup.ts';
import {
  connectionForm,
  connectionRef,
  connectionTitle,
  maxConnections,
  noticeOfConnection,
  ownerForm,
} from '../views/connection-form.ts';
import { connectionListMessage, type ListedConnection } from '../views/connection-list-message.ts';
import {
  addConnectionActionId,
  changeOwnerActionId,
  editConnectionActionId,
  makeDefaultActionId,
  pinChannelActionId,
  removeConnectionActionId,
  unpinChannelActionId,
} from '../views/ids.ts';
import { testingModal } from '../views/setup-modal.ts';
import {
  connectionGone,
  filledConnectionModal,
  filledOwnerModal,
  submitConnection,
  submitOwner,
} from './connection-forms.ts';
import { pinByName, pinHere, unpinHere } from './pin-channel.ts';

const form = { needs, title: connectionTitle, waiting: 'Loading the connection…' };

/** `/belay connection`: all members see the connections, admins change them. */
export function registerConnections(listeners: Listeners, context: SetupContext): Subcommand[] {
  listeners.opens(addConnectionActionId, z.object({}), {
    ...form,
    fill: (call) => filledConnectionModal(call, { channelId: call.channelId }, context),
  });
  listeners.opens(editConnectionActionId, connectionRef, {
    ...form,
    fill: (call) => filledConnectionModal(call, connectionOf(call), context),
  });
  listeners.opens(changeOwnerActionId, connectionRef, {
    ...form,
    fill: (call) => filledOwnerModal(call, connectionOf(call), context),
  });
  listeners.opens(makeDefaultActionId, connectionRef, {
    ...form,
    fill: (call) => reviewConnection(call, 'make_default', context),
  });
  listeners.opens(removeConnectionActionId, connectionRef, {
    ...form,
    fill: (call) => reviewConnection(call, 'remove', context),
  });

  listeners.action(pinChannelActionId, connectionRef, async ({ value, channelId, ...call }) =>
    channelId
      ? { reply: await pinHere({ ...call, channelId }, value.originId, context) }
      : undefined,
  );
  listeners.action(unpinChannelActionId, connectionRef, async ({ channelId, ...call }) =>
    channelId ? { reply: await unpinHere({ ...call, channelId }, context) } : undefined,
  );

  listeners.form(connectionForm, {
    needs,
    pending: testingModal(connectionTitle),
    verify: (call) => submitConnection(call, context),
  });
  listeners.form(ownerForm, {
    needs,
    pending: noticeOfConnection('Looking up the token owner… Nothing has been saved yet.'),
    verify: (call) => submitOwner(call, context),
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
        if (!verb) return showConnections(call, context);
        if (verb.toLowerCase() !== 'use' || !name || rest.length > 0) return usage;
        return pinByName(call, name, context);
      },
    },
  ];
}

/** In the settings, the button says where they were opened. */
function connectionOf({ value, channelId }: ActionInteraction<z.infer<typeof connectionRef>>) {
  return { originId: value.originId, channelId: value.channelId ?? channelId };
}

const usage = notice(
  'To see the connections, run `/belay connection`. To set the connection of this channel, run `/belay connection use <name>`.',
);

/** The connections of the workspace and which one this channel uses, with buttons for those who may. */
async function showConnections(
  { teamId, channelId, person, settings }: CommandInteraction,
  { store, regions }: SetupContext,
): Promise<Message> {
  const [summaries, pinned, workspace] = await Promise.all([
    store.listConnections(teamId),
    store.findPinned(teamId, channelId),
    settings(),
  ]);
  if (summaries.length === 0) return notConnected;
  const isPinned = summaries.some(({ originId }) => originId === pinned);
  const connections = await Promise.all(
    summaries.map(async (summary): Promise<ListedConnection> => {
      const { originId, regionId, isDefault } = summary;
      const opened = await store.openConnection(teamId, { originId });
      return {
        ...summary,
        regionLabel: regions.find(({ id }) => id === regionId)?.label,
        token:
          opened === undefined || opened === 'unreadable'
            ? 'unreadable'
            : { expiresAt: tokenExpiry(opened.token) },
        isUsedHere: isPinned ? originId === pinned : isDefault,
      };
    }),
  );
  return connectionListMessage(connections, {
    channelId,
    isPinned,
    mayPin: shownRights.isApproverOrAdmin(person, workspace),
    isAdmin: shownRights.isAdmin(person),
    canAdd: summaries.length < maxConnections,
  });
}

/** The form in which an admin confirms making a connection the default, or removing it. */
async function reviewConnection(
  call: ActionInteraction<{ originId: string }>,
  kind: 'make_default' | 'remove',
  context: SetupContext,
): Promise<ModalView> {
  const { teamId, channelId, value } = call;
  const current = await context.store.readSetup(teamId);
  const connection = current.connections.find(({ originId }) => originId === value.originId);
  if (!connection) return noticeOfConnection(connectionGone.text);
  if (connection.isDefault) return noticeOfConnection(isDefaultText[kind]);
  const change = {
    ...settingsChange(connection, current, current.settings, context),
    target: targetOf(connection, kind, current),
  };
  const plan = await planChange(change, current, call, context);
  return 'done' in plan ? plan.done : reviewChange(call, { change, plan, channelId }, context);
}

const isDefaultText = {
  make_default: 'This connection is already the default. Nothing was changed.',
  remove:
    "The default connection can't be removed. Nothing was changed. Make another connection the default first.",
};

function targetOf(
  { originId, name }: ConnectionSummary,
  kind: 'make_default' | 'remove',
  { connection }: CurrentSetup,
): ConnectionTarget {
  if (kind === 'remove') return { kind, originId, name };
  return { kind, originId, name, ...(connection && { nameBefore: connection.name }) };
}
