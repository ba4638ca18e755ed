/**
 * What the page (or a test) and the local Slack say to each other. A person sees a Snapshot and
 * makes a Gesture; everything the page draws comes from the snapshot, everything it does is a gesture.
 */
import type { KnownBlock } from '@slack/types';
import { z } from 'zod';

/** A value as a person leaves it in an input element; the local Slack turns it into Slack's state object. */
const elementValue = z.union([z.string(), z.array(z.string()), z.null()]);
export type ElementValue = z.infer<typeof elementValue>;

/** Block id → action id → value. */
const formValues = z.record(z.string(), z.record(z.string(), elementValue));
export type FormValues = z.infer<typeof formValues>;

const container = z.union([
  z.strictObject({ kind: z.literal('message'), channelId: z.string(), messageTs: z.string() }),
  z.strictObject({ kind: z.literal('view'), viewId: z.string() }),
]);
export type Container = z.infer<typeof container>;

export const gestureSchema = z.discriminatedUnion('type', [
  /** Enter in the message box; text that starts with `/` is a slash command. */
  z.strictObject({ type: z.literal('send'), channelId: z.string(), text: z.string() }),
  /**
   * Uses an interactive element: presses a button or chooses an option (`value`: the option's value).
   * `confirmed` says that the person said yes in the element's confirm dialog; without it an element
   * that asks for confirmation is refused. `values` is what the view's other inputs hold right now.
   */
  z.strictObject({
    type: z.literal('act'),
    container,
    blockId: z.string(),
    actionId: z.string(),
    value: elementValue.optional(),
    confirmed: z.boolean().optional(),
    values: formValues.optional(),
  }),
  z.strictObject({ type: z.literal('submit'), viewId: z.string(), values: formValues }),
  /** `all`: the whole stack (the X of the dialog); otherwise the top view (its Cancel button). */
  z.strictObject({ type: z.literal('close'), viewId: z.string(), all: z.boolean().optional() }),
  /** Removes an ephemeral message ("Only visible to you") or a notice for this person. */
  z.strictObject({ type: z.literal('dismiss'), channelId: z.string(), messageTs: z.string() }),
]);
export type Gesture = z.infer<typeof gestureSchema>;

/**
 * What became of a gesture once the app answered (or did not).
 * - `ok`: delivered and acknowledged in time, or needed no delivery.
 * - `operation_timeout`: no acknowledgement within 3 s.
 * - `dispatch_failed`: the app could not be reached or answered other than 2xx.
 * - `refused`: Slack itself would not have let the person do it; nothing was delivered.
 */
export type GestureOutcome =
  | { result: 'ok' | 'operation_timeout' | 'dispatch_failed' }
  | { result: 'refused'; reason: string };

export type Person = {
  slackUserId: string;
  teamId: string;
  name: string;
  realName: string;
  email: string;
  /** IANA time zone, used to draw `<!date^…>`. */
  timeZone: string;
  /** What this person is, in a few words for the page: "operator", "guest" … */
  title: string;
  isAdmin: boolean;
  isOwner: boolean;
  isGuest: boolean;
  isDeactivated: boolean;
};

export type Message = {
  channelId: string;
  messageTs: string;
  threadTs?: string;
  /** A person's id, the app's bot user, or `USLACKBOT` for what Slack itself says. */
  authorId: string;
  authorName: string;
  isApp: boolean;
  text: string;
  blocks?: KnownBlock[];
  /** Only this person sees it. */
  isEphemeral: boolean;
  isEdited: boolean;
};

export type Conversation = {
  channelId: string;
  /** Without `#`; for a direct message with the app, the app's name. */
  name: string;
  kind: 'channel' | 'direct';
  unreadCount: number;
  messages: Message[];
};

export type OpenView = {
  viewId: string;
  callbackId: string;
  title: string;
  submit?: string;
  close?: string;
  blocks: KnownBlock[];
  /** Block id → what is wrong with it, from `response_action: errors`. */
  errors: Record<string, string>;
  /** Slack's own complaint under the form, such as "We had some trouble connecting. Try again?". */
  trouble?: string;
  /** True between a submission and the app's acknowledgement. */
  isSubmitting: boolean;
};

/** Everything one person sees. */
export type Snapshot = {
  workspaceName: string;
  appName: string;
  me: Person;
  /** Who the page can switch to, in the order of the configuration. */
  people: Person[];
  conversations: Conversation[];
  /** This person's modal stack, bottom first, at most three. */
  views: OpenView[];
  /** Commands for the message box's completion: `/belay` and its description and usage hint. */
  commands: { command: string; description: string; usageHint?: string }[];
};

/**
 * Over HTTP, same origin as the page:
 * `GET /local/snapshots?as=<slackUserId>` an event stream, one Snapshot as JSON in each `data:`,
 * the first at once, then after each change;
 * `POST /local/gestures?as=<slackUserId>` a Gesture as JSON, answered with a GestureOutcome.
 */
export const paths = { snapshots: '/local/snapshots', gestures: '/local/gestures' } as const;
