import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../clock.ts';
import type { Interaction } from '../../../slack/interactions/interaction.ts';
import type { TokenPageForm } from '../setup-form.ts';
import type { TokenPages } from './serve-token-page.ts';

type Call = Pick<Interaction, 'teamId' | 'person'>;
type FormCall = Call & { metadata: { page?: TokenPageForm | undefined } };
type PageDependencies = { tokenPages: TokenPages; clock: Clock };

/**
 * What a form that opens needs to offer a web page for its token: the form for which the admin has
 * entered a token already, or a new one. A token for another connection stays where it is.
 */
export async function findPageForm(
  { teamId, person }: Call,
  tokenFor: string,
  { tokenPages, clock }: PageDependencies,
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
  { tokenPages, clock }: PageDependencies,
): Promise<string | undefined> {
  if (!tokenPages || !page) return undefined;
  const owner = { teamId, createdBy: person.slackUserId };
  return tokenPages.store.openReceived({ ...owner, formId: page.formId }, clock());
}

/** Once it is saved, or stored with a change. */
export async function dropReceived(
  { teamId, metadata: { page } }: FormCall,
  { tokenPages }: Pick<PageDependencies, 'tokenPages'>,
): Promise<void> {
  if (page) await tokenPages?.store.drop({ teamId, formId: page.formId });
}
