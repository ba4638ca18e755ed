import type { Interaction } from '../../../slack/interactions/interaction.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { serviceConnection } from '../../../workspace/workspace.ts';
import type { SetupContext } from '../setup-context.ts';
import { newConnection } from '../setup-form.ts';
import { findPageForm } from '../token-page/received-token.ts';
import {
  connectionModal,
  maxConnections,
  noticeOfConnection,
  ownerModal,
} from '../views/connection-form.ts';

export const connectionGone: Message = notice(
  'This connection no longer exists. Nothing was changed. To see the connections, run `/belay connection`.',
);

const tooMany = noticeOfConnection(
  `This workspace has ${maxConnections} connections, which is the maximum. Remove one first.`,
);

/** The form with the current values of a connection or, without `originId`, for a new one. */
export async function filledConnectionModal(
  call: Pick<Interaction, 'teamId' | 'person'>,
  { originId, channelId }: { originId: string | undefined; channelId: string | undefined },
  context: SetupContext,
): Promise<ModalView> {
  const { teamId } = call;
  const { store, regions, listUnits } = context;
  const { revision, connections } = await store.readSetup(teamId);
  if (originId === undefined) {
    if (connections.length >= maxConnections) return tooMany;
    const { page, receivedAt } = await findPageForm(call, newConnection, context);
    const metadata = { channelId, revision, hasStoredToken: false, page };
    return connectionModal({ regions, form: undefined, units: undefined, metadata, receivedAt });
  }
  const summary = connections.find((one) => one.originId === originId);
  if (!summary) return noticeOfConnection(connectionGone.text);
  const opened = await store.openConnection(teamId, { originId });
  const connection = opened === 'unreadable' ? undefined : opened;
  const region = regions.find(({ id }) => id === connection?.regionId);
  const { page, receivedAt } = await findPageForm(call, originId, context);
  const canList = connection && region;
  return connectionModal({
    regions,
    form: summary,
    units: canList ? await listUnits(serviceConnection(region, connection)) : undefined,
    metadata: { channelId, originId, revision, hasStoredToken: connection !== undefined, page },
    receivedAt,
  });
}

/** The form of a connection's token owner alone. */
export async function filledOwnerModal(
  { teamId }: Pick<Interaction, 'teamId'>,
  { originId, channelId }: { originId: string; channelId: string | undefined },
  { store }: SetupContext,
): Promise<ModalView> {
  const { revision, connections } = await store.readSetup(teamId);
  const connection = connections.find((one) => one.originId === originId);
  if (!connection) return noticeOfConnection(connectionGone.text);
  const metadata = { channelId, originId, revision, hasStoredToken: true };
  return ownerModal(connection.tokenOwner, metadata);
}
