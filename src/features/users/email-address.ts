import { domainToASCII } from 'node:url';

/**
 * One spelling for all that reach the same mailbox: case, width and look of letters do not count,
 * nor does a sub-address (`ana+backup@…`). Undefined for what is no address. It is for telling that
 * two are the same person, where taking two for one does less harm than taking one for two.
 */
export function mailboxOf(text: string | null | undefined): string | undefined {
  const address = foldCase(text ?? '').trim();
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  if (at < 1 || domain === '') return undefined;
  const plus = local.indexOf('+');
  return `${plus > 0 ? local.slice(0, plus) : local}@${domainToASCII(domain) || domain}`;
}

/** There and back, because some letters have a spelling that only one of the ways leads away from. */
function foldCase(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return folded.normalize('NFKC');
}
