import { setTimeout as sleep } from 'node:timers/promises';
import { type RespondArguments, RespondError, type RespondFn } from '@slack/bolt';
import { z } from 'zod';
import { type Message, notice, withoutCharts } from '../ui/blocks.ts';
import { noAutoParsing, noUnfurling } from './post.ts';

/*
 * Answers at the response_url of an interaction.
 * https://docs.slack.dev/interactivity/handling-user-interaction#message_responses
 */

/** Only this person sees the message. Retried while Slack fails for a short time. */
export function respondPrivately(respond: RespondFn, message: Message): Promise<void> {
  return retry(() => respondOnce(respond, message));
}

/** Without retries, which would delay what is sent next. */
export async function respondOnce(respond: RespondFn, message: Message): Promise<void> {
  await send(respond, message, { response_type: 'ephemeral', replace_original: false });
}

/** Replaces the message that the person acted on. */
export function replaceOriginal(respond: RespondFn, message: Message): Promise<void> {
  return retry(() => send(respond, message, { replace_original: true }));
}

/**
 * A Slack that doesn't know charts yet refuses the whole message, so the message is sent again without
 * them: the figures are in its text too.
 */
async function send(
  respond: RespondFn,
  message: Message,
  how: Pick<RespondArguments, 'response_type' | 'replace_original'>,
): Promise<void> {
  const body = { ...noAutoParsing, ...noUnfurling, ...how };
  const { blocks = [] } = message;
  const others = withoutCharts(blocks);
  if (others.length === blocks.length) {
    await respond({ ...message, ...body });
    return;
  }
  try {
    const response = await respond({ ...message, ...body });
    if (!refusal.safeParse(await response.json().catch(() => undefined)).success) return;
  } catch (error) {
    if (isTemporary(error)) throw error;
  }
  await respond({ ...message, blocks: others, ...body });
}

/** Slack may also refuse with HTTP 200. */
const refusal = z.object({ ok: z.literal(false) });

/** About a minute in total: after that, the person has long repeated what they did. */
const retryDelaysMs = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

/** An answer that arrives twice, because Slack's confirmation was lost, does no harm. */
async function retry(answer: () => Promise<void>): Promise<void> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await answer();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await sleep(delayMs);
    }
  }
  await answer();
}

/** No answer, a server error or a rate limit. Slack refuses an expired URL with 404. */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof RespondError)) return true;
  const { statusCode = 0 } = error;
  return statusCode === 429 || statusCode >= 500;
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
