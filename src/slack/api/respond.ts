import type { RespondFn } from '@slack/bolt';
import { type Message, notice } from '../ui/blocks.ts';
import { noAutoParsing, noUnfurling } from './post.ts';

/*
 * Answers at the response_url of an interaction.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */

export async function respondPrivately(respond: RespondFn, message: Message): Promise<void> {
  await respond({
    ...{ ...message, ...noAutoParsing, ...noUnfurling },
    ...{ response_type: 'ephemeral', replace_original: false },
  });
}

/** Replaces the message that the person acted on. */
export async function replaceOriginal(respond: RespondFn, message: Message): Promise<void> {
  await respond({ ...message, ...noAutoParsing, ...noUnfurling, replace_original: true });
}

const progressNoticeAfterMs = 1000;
const progressNotice = notice('Working on it. One moment…');

/** Runs `work`. If that takes longer than a second, sends a notice that it is still running. */
export async function withProgressNotice<T>(
  send: (message: Message) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  let sending: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    // A notice that can't be sent must not cost the answer.
    sending = send(progressNotice).catch(() => undefined);
  }, progressNoticeAfterMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    // The caller answers next, and the notice must not arrive after the answer.
    await sending;
  }
}
