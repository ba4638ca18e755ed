import type { ActionInteraction } from '../../../slack/listeners/interaction.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { ConnectionSummary, ConnectionTarget, CurrentSetup } from '../../workspaces/index.ts';
import { valuesInForce } from '../build-change.ts';
import { reviewChange } from '../review-change.ts';
import type { SubmitDependencies } from '../submit-setup.ts';
import { noticeOfConnection } from '../views/connection-modal.ts';
import { changedMeanwhileModal } from '../views/saved-modal.ts';
import { connectionGone } from './open-connection-form.ts';

/** The form in which an admin confirms making a connection the default, or removing it. */
export async function reviewConnection(
  call: ActionInteraction<{ originId: string }>,
  kind: 'make-default' | 'remove',
  dependencies: SubmitDependencies,
): Promise<ModalView> {
  const { teamId, channelId, value } = call;
  const current = await dependencies.store.readSetup(teamId);
  const connection = current.connections.find(({ originId }) => originId === value.originId);
  if (!connection) return noticeOfConnection(connectionGone.text);
  if (connection.isDefault) return noticeOfConnection(isDefaultText[kind]);
  const change = {
    ...unchanged(connection, current, dependencies),
    target: targetOf(connection, kind, current),
  };
  const reviewed = { change, current, connection: undefined, channelId };
  const { review } = await reviewChange(call, reviewed, dependencies);
  return review?.done ?? changedMeanwhileModal;
}

const isDefaultText = {
  'make-default': 'This connection is already the default. Nothing was changed.',
  remove:
    "The default connection can't be removed. Nothing was changed. Make another connection the default first.",
};

/** The change of a connection without its target. */
function unchanged(
  connection: ConnectionSummary,
  { revision, settings }: CurrentSetup,
  { regions, newId }: Pick<SubmitDependencies, 'regions' | 'newId'>,
) {
  const { tokenOwner } = connection;
  const values = valuesInForce(connection, settings, regions);
  return {
    changeId: newId(),
    basedOn: revision,
    before: values,
    after: values,
    tokenOwnerBefore: tokenOwner,
    tokenOwnerAfter: tokenOwner,
    hasNewToken: false,
  };
}

function targetOf(
  { originId, name }: ConnectionSummary,
  kind: 'make-default' | 'remove',
  { connection }: CurrentSetup,
): ConnectionTarget {
  if (kind === 'remove') return { kind, originId, name };
  return { kind, originId, name, ...(connection && { nameBefore: connection.name }) };
}
