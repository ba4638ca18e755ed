import type { Operator } from '../audit-log/entry.ts';

const maxNameLength = 100;

/**
 * Who runs the command, from `--by`: a Slack member id becomes the actor of the entry; a name becomes
 * personal text, which can be erased. Required, because an account of the machine is often shared.
 * @throws with one line if it is missing.
 */
export function parseOperator(typed: string | undefined): Operator {
  const by = typed?.trim();
  if (!by || by.length > maxNameLength) {
    throw new Error('Add --by with your Slack member ID or your name.');
  }
  return /^[UW][A-Z0-9]{8,20}$/.test(by) ? { actor: by } : { personal: { by } };
}
