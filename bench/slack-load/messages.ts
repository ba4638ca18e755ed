import { z } from 'zod';

/** One load: each of `atOnce` senders sends its next command when its last one was answered. */
const loadOrder = z.object({
  kind: z.literal('load'),
  requestUrl: z.string(),
  /** The command as it is typed. */
  typed: z.string(),
  count: z.number(),
  atOnce: z.number(),
  /** Text that every answer must contain. */
  expected: z.string(),
});

const setUpOrder = z.object({
  kind: z.literal('set-up'),
  requestUrl: z.string(),
  portalId: z.string(),
  token: z.string(),
});

/** What the process of the local Slack is asked to do. */
export const slackOrder = z.discriminatedUnion('kind', [loadOrder, setUpOrder]);
export type SlackOrder = z.infer<typeof slackOrder>;
export type LoadOrder = z.infer<typeof loadOrder>;

export const slackReady = z.object({
  apiUrl: z.string(),
  botToken: z.string(),
  signingSecret: z.string(),
});
export type SlackReady = z.infer<typeof slackReady>;

/** Milliseconds at the sender, in the order of the commands. */
export const loadResult = z.object({
  ackMs: z.array(z.number()),
  answerMs: z.array(z.number()),
  perSecond: z.number(),
  /** The JSON of the last answer. */
  answer: z.string(),
});
export type LoadResult = z.infer<typeof loadResult>;

/** What bare Bolt is started with, by message. */
export const boltOptions = z.object({
  apiUrl: z.string(),
  botToken: z.string(),
  signingSecret: z.string(),
  /** The JSON that it answers every command with. */
  answer: z.string(),
  /** The calls to the service that come before the answer, if there are any. */
  service: z
    .object({
      baseUrl: z.string(),
      headers: z.record(z.string(), z.string()),
      paths: z.array(z.string()),
    })
    .optional(),
});
export type BoltOptions = z.infer<typeof boltOptions>;

export const peerReady = z.object({ port: z.number() });
