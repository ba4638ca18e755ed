import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import { serviceConnection } from '../../workspace/workspace.ts';
import type { SetupContext } from './setup-context.ts';
import { firstConnection } from './setup-form.ts';
import { findPageForm } from './token-page/received-token.ts';
import { setupModal } from './views/setup-modal.ts';

/**
 * The form with the saved setup, and a menu of units if the service lists them. Fills a modal that is
 * open already: listing the units may take 2 s, and a trigger expires after 3 s.
 */
export async function filledSetupModal(
  call: Pick<Interaction, 'teamId' | 'person'>,
  origin: { channelId: string | undefined; isUnitChoice: boolean },
  context: SetupContext,
): Promise<ModalView> {
  const { teamId } = call;
  const { store, regions, listUnits } = context;
  // Read first, so that a save in the meantime makes the form stale instead of being overwritten.
  const { revision, settings, connections, connection: summary } = await store.readSetup(teamId);
  const opened = await store.openConnection(teamId);
  const connection = opened === 'unreadable' ? undefined : opened;
  // The token of a region that is no longer configured is sent nowhere.
  const region = regions.find(({ id }) => id === connection?.regionId);
  const tokenFor = summary?.originId ?? firstConnection;
  const { page, receivedAt } = await findPageForm(call, tokenFor, context);
  const canList = connection && region;
  return setupModal({
    regions,
    form: {
      regionId: summary?.regionId,
      tokenOwner: summary?.tokenOwner,
      organizationalUnitId: summary?.organizationalUnitId,
      ...settings,
    },
    units: canList ? await listUnits(serviceConnection(region, connection)) : undefined,
    connectionName: connections.length > 1 ? summary?.name : undefined,
    metadata: { ...origin, revision, hasStoredToken: connection !== undefined, page },
    receivedAt,
  });
}
