import { domainToASCII } from 'node:url';

/**
 * One spelling for all addresses that reach the same mailbox: case, width and look of letters do not
 * count, nor does a sub-address (`ana+backup@…`). Undefined for text that is no address. Made for
 * recognizing a person, where a false match does less harm than a missed one.
 */
export function mailboxOf(text: string | null | undefined): string | undefined {
  const address = foldCase(text ?? '').trim();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || domain === '') return undefined;
  const plus = local.indexOf('+');
  return `${plus > 0 ? local.slice(0, plus) : local}@${domainToASCII(domain) || domain}`;
}

/** Upper case and back, because some letters change only in one direction. */
function foldCase(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKC');
}

type Addressed = { email?: string | null | undefined };

/**
 * Whether two accounts, in Slack or in the service, belong to one person, which only their e-mail
 * addresses tell. `unknown` when either has no readable address.
 */
export function isSamePerson(one: Addressed, other: Addressed): 'no' | 'yes' | 'unknown' {
  const [mailbox, otherMailbox] = [mailboxOf(one.email), mailboxOf(other.email)];
  if (mailbox === undefined || otherMailbox === undefined) return 'unknown';
  return mailbox === otherMailbox ? 'yes' : 'no';
}
