import { type Message, notice } from '../../../slack/ui/blocks.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { serviceConnection } from '../../workspaces/index.ts';
import type { SetupFormDependencies } from '../fill-setup-form.ts';
import { connectionModal, noticeOfConnection } from '../views/connection-modal.ts';
import { maxConnections } from './connection-form.ts';

export const connectionGone: Message = notice(
  'This connection no longer exists. Nothing was changed. To see the connections, run `/belay connection`.',
);

const tooMany = noticeOfConnection(
  `A workspace can have at most ${maxConnections} connections. Remove one first.`,
);

/** The form of a connection as it is now or, without `originId`, of a new one. */
export async function filledConnectionModal(
  teamId: string,
  { originId, channelId }: { originId: string | undefined; channelId: string | undefined },
  { store, regions, listUnits }: SetupFormDependencies,
): Promise<ModalView> {
  const { revision, connections } = await store.readSetup(teamId);
  if (originId === undefined) {
    if (connections.length >= maxConnections) return tooMany;
    const metadata = { channelId, revision, hasStoredToken: false };
    return connectionModal({ regions, form: undefined, units: undefined, metadata });
  }
  const summary = connections.find((one) => one.originId === originId);
  if (!summary) return noticeOfConnection(connectionGone.text);
  const opened = await store.openConnection(teamId, { originId });
  const connection = opened === 'unreadable' ? undefined : opened;
  const region = regions.find(({ id }) => id === connection?.regionId);
  const canList = connection && region;
  return connectionModal({
    ...{ regions, form: summary },
    units: canList ? await listUnits(serviceConnection(region, connection)) : undefined,
    metadata: { channelId, originId, revision, hasStoredToken: connection !== undefined },
  });
}
