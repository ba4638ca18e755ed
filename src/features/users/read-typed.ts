import { readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import { mentionedUser, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { unquote } from '../../slack/ui/typed-filter.ts';
import type { Verb } from './views/ids.ts';
import type { FilledIn } from './views/request-modal.ts';

/** `kim lee because …`, and for a new name `kim lee to Kim Park`. `text` names the user. */
export function readRequest(verb: Verb, typed: string): FilledIn & { text: string } {
  const { text: about, reason } = takeReason(typed.trim());
  const [, text = about, newName] =
    verb === 'rename' ? (/^(.+?)\s+to\s+(.+)$/is.exec(about) ?? []) : [];
  return {
    text: text.trim(),
    reason,
    newName:
      newName === undefined ? undefined : unquote(unescapeMrkdwn(newName).trim()).slice(0, 255),
  };
}

/** As long as the reason of a form. */
const maxReason = 500;

/** Takes the reason out of what follows a command: `kim lee because she left`, `kim lee, reason: …`. */
export function takeReason(typed: string): { text: string; reason: string | undefined } {
  const [, text = '', reason] = /^(?:(.+?),?\s+)?(?:because|reason:)\s+(.+)$/is.exec(typed) ?? [];
  if (reason === undefined) return { text: typed, reason };
  return { text, reason: unescapeMrkdwn(reason).slice(0, maxReason) };
}

/** What to search for, in this order until something is found; empty if nothing was typed. */
type Target = { queries: string[] } | { hiddenAddress: string };

/**
 * The user that a person typed, as plain text. Slack sends `@ana` as a mention, which stands for that
 * person's email address and, only to look (`allowsName`), for their name: two people can share one.
 * `hiddenAddress` is the mentioned person, if Slack shows nothing to search for.
 */
export async function readTarget(
  text: string,
  { slack, allowsName }: { slack: SlackClient; allowsName: boolean },
): Promise<Target> {
  const mentioned = mentionedUser(/<@[^>]*>/.exec(text)?.[0] ?? '');
  if (mentioned === undefined) return { queries: [readTyped(text)].filter(Boolean) };
  const { email, name } = await readPerson(slack, mentioned);
  // Slack may leave an address empty instead of leaving it out.
  const queries = [email, allowsName ? name : undefined].flatMap((one) => one || []);
  return queries.length > 0 ? { queries } : { hiddenAddress: mentioned };
}

/** Of other things that Slack marks up only the label: `#ops` of `<#C1|ops>`, `@ops` of a group. */
function readTyped(text: string): string {
  const plain = text.replaceAll(/<([#@!])[^|>]*(?:\|([^>]*))?>/g, (_, sigil: string, label = '') =>
    sigil === '#' ? `#${label}` : label,
  );
  return unescapeMrkdwn(plain)
    .trim()
    .replace(/^@(?=\S)/, '')
    .trim();
}
