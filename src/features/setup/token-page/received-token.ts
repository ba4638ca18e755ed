import { randomUUID } from 'node:crypto';
import type { Interaction } from '../../../slack/interactions/interaction.ts';
import type { SetupContext } from '../setup-context.ts';
import type { TokenPageForm } from '../setup-form.ts';

type Call = Pick<Interaction, 'teamId' | 'person'>;
type FormCall = Call & { metadata: { page?: TokenPageForm | undefined } };

/**
 * What a form that opens needs to offer a web page for its token: the form for which the admin has
 * entered a token already, or a new one. A token for another connection stays where it is.
 */
export async function findPageForm(
  { teamId, person }: Call,
  tokenFor: string,
  { tokenPages, clock }: SetupContext,
): Promise<{ page?: TokenPageForm; receivedAt?: Date }> {
  if (!tokenPages) return {};
  const owner = { teamId, createdBy: person.slackUserId };
  const received = await tokenPages.store.findReceived({ ...owner, tokenFor }, clock());
  const page = { formId: received?.formId ?? randomUUID(), tokenFor };
  return { page, ...(received && { receivedAt: received.receivedAt }) };
}

/** The token that the admin entered on a web page for this form. */
export async function receivedToken(
  { teamId, person, metadata: { page } }: FormCall,
  { tokenPages, clock }: SetupContext,
): Promise<string | undefined> {
  if (!tokenPages || !page) return undefined;
  const owner = { teamId, createdBy: person.slackUserId };
  return tokenPages.store.openReceived({ ...owner, formId: page.formId }, clock());
}

/** Once it is saved, or stored with a change. */
export async function dropReceived(
  { teamId, metadata: { page } }: FormCall,
  { tokenPages }: SetupContext,
): Promise<void> {
  if (page) await tokenPages?.store.drop({ teamId, formId: page.formId });
}
