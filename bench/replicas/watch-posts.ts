import { z } from 'zod';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { ApiCall } from '../../playground/slack/web-api/router.ts';

/** A posted message about a user of the service. */
export type Post = {
  channelId: string;
  messageTs: string;
  /** Of the block with the buttons; empty when there is none. */
  blockId: string;
  isDirect: boolean;
};

/** One edit of a message, by when it arrived. */
export type Edit = { channelId: string; messageTs: string; text: string; at: Date };

export type Posts = {
  /** All messages about the user with this address, oldest first. */
  about: (email: string) => Post[];
  edits: () => Edit[];
  /** Reads the calls since the last time. */
  refresh: () => void;
};

const posted = z.object({
  ok: z.literal(true),
  channel: z.string(),
  ts: z.string(),
  message: z.looseObject({
    text: z.string(),
    blocks: z
      .array(z.looseObject({ type: z.string(), block_id: z.string().optional() }))
      .default([]),
  }),
});

/** Collects what Belay posts and edits, each call once. */
export function watchPosts(slack: LocalSlack): Posts {
  const byEmail = new Map<string, Post[]>();
  const edits: Edit[] = [];
  let read = 0;

  const note = ({ method, result, at }: ApiCall) => {
    const parsed = posted.safeParse(result);
    if (!parsed.success) return;
    const { channel: channelId, ts: messageTs, message } = parsed.data;
    if (method === 'chat.update') edits.push({ channelId, messageTs, text: message.text, at });
    const [email] = /[\w.]+@example\.com/.exec(message.text) ?? [];
    if (method !== 'chat.postMessage' || !email) return;
    const blockId = message.blocks.find(({ type }) => type === 'actions')?.block_id ?? '';
    const post = { channelId, messageTs, blockId, isDirect: channelId.startsWith('D') };
    byEmail.set(email, [...(byEmail.get(email) ?? []), post]);
  };
  const refresh = () => {
    for (const call of slack.calls.slice(read)) note(call);
    read = slack.calls.length;
  };

  return {
    refresh,
    about(email) {
      refresh();
      return byEmail.get(email) ?? [];
    },
    edits() {
      refresh();
      return edits;
    },
  };
}
