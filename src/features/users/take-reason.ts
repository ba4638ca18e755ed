import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';

/** As long as the reason of a form. */
const maxReason = 500;

/** Takes the reason out of what follows a command: `kim lee because she left`, `kim lee, reason: …`. */
export function takeReason(typed: string): { text: string; reason: string | undefined } {
  const [, text = '', reason] = /^(?:(.+?),?\s+)?(?:because|reason:)\s+(.+)$/is.exec(typed) ?? [];
  if (reason === undefined) return { text: typed, reason };
  return { text, reason: unescapeMrkdwn(reason).slice(0, maxReason) };
}
