import type { Clock } from '../../../clock.ts';
import type { ActionInteraction, ActionResponse } from '../../../slack/listeners/interaction.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { pushModal } from '../../../slack/ui/modal.ts';
import { isAdmin, type WorkspaceStore } from '../../workspaces/index.ts';
import { connectionGone } from '../connections/open-connection-form.ts';
import { newConnection, type TokenPageForm } from '../setup-form.ts';
import { adminsOnly } from '../submit-setup.ts';
import { tokenLinkModal } from '../views/token-link.ts';
import { type TokenPages, tokenPagePath } from './serve-token-page.ts';

/** Shows the admin, above the form, the link to a page that takes the token for the form. */
export async function sendTokenLink(
  call: ActionInteraction<TokenPageForm>,
  {
    tokenPages,
    store,
    clock,
  }: { tokenPages: TokenPages; store: Pick<WorkspaceStore, 'listConnections'>; clock: Clock },
): Promise<ActionResponse | undefined> {
  const { person, teamId, slack, value } = call;
  if (!isAdmin(person)) return { reply: notice(adminsOnly) };
  if (!tokenPages) {
    return {
      reply: notice(
        "Belay's web page for tokens is no longer available. Open the form again and enter the token there.",
      ),
    };
  }
  const { formId, tokenFor } = value;
  const [{ team }, connections] = await Promise.all([
    slack.auth.test(),
    store.listConnections(teamId),
  ]);
  const isNew = tokenFor === newConnection;
  const connection = connections.find(({ originId }) => originId === tokenFor);
  if (!connection && !isNew && connections.length > 0) return { reply: connectionGone };
  const name = connections.length > 1 ? connection?.name : undefined;
  const link = await tokenPages.store.create({
    teamId,
    formId,
    createdBy: person.slackUserId,
    at: clock(),
    shown: {
      workspace: team ?? teamId,
      admin: person.name ?? person.slackUserId,
      connection: isNew ? 'a new connection' : name,
      tokenFor,
    },
  });
  const address = `${tokenPages.publicUrl}${tokenPagePath}?link=${link}`;
  await pushModal(call, tokenLinkModal(address));
  return undefined;
}
