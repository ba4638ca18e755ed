import { domainToASCII } from 'node:url';

/**
 * One spelling for all addresses that reach the same mailbox: case and width of letters do not count,
 * nor do invisible characters, a sub-address (`ana+backup@…`), or the dots that Gmail ignores.
 * Undefined for text that is no address. Made for recognizing a person, where a false match does less
 * harm than a missed one.
 */
export function mailboxOf(text: string | null | undefined): string | undefined {
  const address = foldCase((text ?? '').replaceAll(invisible, '')).trim();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1).replace(/\.$/, '')];
  if (at < 1 || domain === '') return undefined;
  const plus = local.indexOf('+');
  const name = plus > 0 ? local.slice(0, plus) : local;
  if (gmailDomains.has(domain)) return `${name.replaceAll('.', '') || name}@gmail.com`;
  return `${name}@${domainToASCII(domain) || domain}`;
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** https://support.google.com/mail/answer/7436150: dots don't matter, and both domains are one. */
const gmailDomains = new Set(['gmail.com', 'googlemail.com']);

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
