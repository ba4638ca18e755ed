import { z } from 'zod';
import { contentArguments, parseContent } from './content.ts';
import { editMessage, findMessage, postAsApp, removeMessage } from './messages.ts';
import { type LocalState, type ResponseUrl, unguessable } from './state.ts';

const LIFE_MS = 30 * 60 * 1000;
const USES = 5;

export const RESPONSE_PATH = '/response/';

/** Issues a response URL, valid for five answers within half an hour. */
export const issueResponseUrl = (
  state: LocalState,
  baseUrl: string,
  about: Pick<ResponseUrl, 'channelId' | 'slackUserId' | 'originalTs'>,
): string => {
  const token = unguessable();
  const expiresAt = state.clock().getTime() + LIFE_MS;
  state.responseUrls.set(token, { ...about, expiresAt, usesLeft: USES });
  return `${baseUrl}${RESPONSE_PATH}${token}`;
};

/** Records the message that an acknowledgement posted, so that the response URL can replace it. */
export const rememberOriginal = (state: LocalState, url: string, messageTs: string): void => {
  const about = state.responseUrls.get(url.slice(url.lastIndexOf('/') + 1));
  if (about) about.originalTs = messageTs;
};

const answerSchema = z.object({
  ...contentArguments,
  response_type: z.enum(['ephemeral', 'in_channel']).optional(),
  replace_original: z.boolean().optional(),
  delete_original: z.boolean().optional(),
});
type Answer = z.infer<typeof answerSchema>;

type Result = { status: number; body: { ok: boolean; error?: string } };
const refuse = (status: number, error: string): Result => ({ status, body: { ok: false, error } });
const done: Result = { status: 200, body: { ok: true } };

const apply = (state: LocalState, about: ResponseUrl, answer: Answer): Result => {
  const { channelId, originalTs } = about;
  const original = originalTs ? findMessage(state, channelId, originalTs) : undefined;
  if (answer.delete_original) {
    if (original) removeMessage(state, original);
    return done;
  }
  const parsed = parseContent(answer);
  if (!parsed.ok) return refuse(400, parsed.error);
  if (answer.replace_original && original) {
    editMessage(state, original, parsed.content);
    return done;
  }
  const visibleTo = answer.response_type === 'in_channel' ? undefined : about.slackUserId;
  const posted = postAsApp(state, channelId, parsed.content, visibleTo);
  about.originalTs ??= posted.messageTs;
  return done;
};

/** Handles a post to a response URL: a new message, a replacement, or a deletion. */
export const answerAt = (state: LocalState | undefined, token: string, body: unknown): Result => {
  const about = state?.responseUrls.get(token);
  if (!state || !about || state.clock().getTime() > about.expiresAt)
    return refuse(404, 'expired_url');
  if (about.usesLeft === 0) return refuse(404, 'used_url');
  const answer = answerSchema.safeParse(body);
  if (!answer.success) return refuse(400, 'invalid_payload');
  about.usesLeft -= 1;
  return apply(state, about, answer.data);
};
