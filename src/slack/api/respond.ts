import type { RespondFn } from '@slack/bolt';
import { type Message, notice } from '../ui/blocks.ts';
import { asWritten, withoutPreviews } from './post.ts';

/** Answers that take longer are announced, so that silence never means "lost". */
const announceAfterMs = 1000;

export async function respondPrivately(respond: RespondFn, message: Message): Promise<void> {
  await respond({
    ...{ ...message, ...asWritten, ...withoutPreviews },
    ...{ response_type: 'ephemeral', replace_original: false },
  });
}

/** A new face for the message that was acted on. */
export async function replaceOriginal(respond: RespondFn, message: Message): Promise<void> {
  await respond({ ...message, ...asWritten, ...withoutPreviews, replace_original: true });
}

const waiting = notice('Working on it. One moment…');

/** Runs `work`; when it takes over a second, says that it is under way. */
export async function announced<T>(
  say: (message: Message) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  let announcement: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    // Losing the announcement must not lose the answer.
    announcement = say(waiting).catch(() => undefined);
  }, announceAfterMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    // "One moment" after the answer would read as if there were more to come.
    await announcement;
  }
}
