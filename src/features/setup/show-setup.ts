import type { Interaction } from '../../slack/interactions/interaction.ts';
import { section } from '../../slack/ui/blocks.ts';
import type { ModalView } from '../../slack/ui/modal.ts';
import type { SetupChange } from '../../workspace/setup-change.ts';
import { mayFinish } from '../../workspace/workspace.ts';
import type { SetupContext } from './setup-context.ts';
import { firstConnection, type SetupOrigin } from './setup-form.ts';
import { findPageForm } from './token-page/received-token.ts';
import { connectionSavedModal, type Saved, savedNotices } from './views/saved-modal.ts';
import { firstSetupModal, overviewModal } from './views/setup-modal.ts';

type Call = Pick<Interaction, 'teamId' | 'person'>;

/** The form of the first setup or, in a connected workspace, all settings with a button for each. */
export async function showSetup(
  call: Call,
  origin: SetupOrigin,
  context: SetupContext,
): Promise<ModalView> {
  const overview = await readOverview(call, origin, context);
  if (overview) return overviewModal(overview);
  const { regions } = context;
  const { page, receivedAt } = await findPageForm(call, firstConnection, context);
  const metadata = { ...origin, page };
  return firstSetupModal({ regions, form: undefined, metadata, receivedAt });
}

/** The answer to an admin whose change was saved. */
export async function savedModal(
  call: Call & { metadata: SetupOrigin },
  { target, tokenOwnerAfter: tokenOwner, isSameTenant: isTokenReplaced }: SetupChange,
  saved: Saved,
  context: SetupContext,
): Promise<ModalView> {
  return target
    ? connectionSavedModal(target, { ...saved, tokenOwner, isTokenReplaced })
    : savedOverview(call, { ...saved, isTokenReplaced }, context);
}

/** The settings after something of them was saved, or nothing because it was the same. */
export async function savedOverview(
  call: Call & { metadata: SetupOrigin },
  saved: Saved | 'nothing',
  context: SetupContext,
): Promise<ModalView> {
  const overview = await readOverview(call, { channelId: call.metadata.channelId }, context);
  if (!overview) throw new Error('the workspace has no connection');
  const notices =
    saved === 'nothing' ? [section('Nothing was changed.')] : savedNotices(saved, overview);
  return overviewModal({ ...overview, notices });
}

async function readOverview(
  { teamId, person }: Call,
  { channelId }: SetupOrigin,
  { store, regions, clock }: SetupContext,
) {
  const current = await store.readSetup(teamId);
  const { settings, connection, connections } = current;
  if (!connection) return undefined;
  return {
    settings,
    connection,
    regionLabel: regions.find(({ id }) => id === connection.regionId)?.label,
    isOnly: connections.length === 1,
    isFinishing: mayFinish(current, person, clock()),
    channelId,
  };
}
