/**
 * The protocol between the page (or a test) and the local Slack. The page draws what is in a Snapshot,
 * and everything a person does is a Gesture.
 */
import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { DataVisualizationBlock } from './validate/data-visualization.ts';

/** The value of an input element. The local Slack converts it to an entry of `state.values`. */
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
  /** Sends a message. Text that starts with `/` is a slash command. */
  z.strictObject({ type: z.literal('send'), channelId: z.string(), text: z.string() }),
  /**
   * Uses an interactive element: presses a button or chooses an option (`value`: the option's value).
   * `confirmed`: the person accepted the confirm dialog; an element with one is refused without it.
   * `values`: the current values of the view's other inputs.
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
  /** `all` closes the whole stack (the X of the dialog), otherwise the top view (Cancel). */
  z.strictObject({ type: z.literal('close'), viewId: z.string(), all: z.boolean().optional() }),
  /** Removes an ephemeral message ("Only visible to you") or a notice for this person. */
  z.strictObject({ type: z.literal('dismiss'), channelId: z.string(), messageTs: z.string() }),
  /** Marks what is in the conversation as read. */
  z.strictObject({ type: z.literal('read'), channelId: z.string() }),
  /** Opens the Home tab of the app. */
  z.strictObject({ type: z.literal('open-home') }),
]);
export type Gesture = z.infer<typeof gestureSchema>;

/**
 * The outcome of a gesture.
 * - `ok`: delivered and acknowledged in time, or needed no delivery.
 * - `operation_timeout`: no acknowledgement within 3 s.
 * - `dispatch_failed`: the app could not be reached or answered other than 2xx.
 * - `refused`: Slack would not have let the person do it; nothing was delivered.
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
  /** IANA time zone, used to render `<!date^…>`. */
  timeZone: string;
  /** The person's role, as the page shows it: "operator", "guest" … */
  title: string;
  isAdmin: boolean;
  isOwner: boolean;
  isGuest: boolean;
  isDeactivated: boolean;
};

/** A block of a message. Slack's package of types lacks the chart. */
export type MessageBlock = KnownBlock | DataVisualizationBlock;

/** Data that an app attaches to a message; people don't see it. */
export type MessageMetadata = { event_type: string; event_payload: Record<string, unknown> };

export type Message = {
  channelId: string;
  messageTs: string;
  threadTs?: string;
  /** The id of a person or the app's bot user, or `USLACKBOT`. */
  authorId: string;
  authorName: string;
  isApp: boolean;
  text: string;
  blocks?: MessageBlock[];
  metadata?: MessageMetadata;
  isEphemeral: boolean;
  /** The only person who sees an ephemeral message. */
  visibleTo?: string;
  isEdited: boolean;
};

export type Conversation = {
  channelId: string;
  /** Without `#`. The app's name for a direct message with the app. */
  name: string;
  kind: 'channel' | 'direct';
  unreadCount: number;
  /** The number in the red badge: mentions in a channel, all unread ones in a direct message. */
  badgeCount: number;
  messages: Message[];
};

export type OpenView = {
  viewId: string;
  callbackId: string;
  title: string;
  submit?: string;
  close?: string;
  blocks: KnownBlock[];
  /** Errors by block id, from `response_action: errors` or Slack's own checks. */
  errors: Record<string, string>;
  /** Slack's error below the form: "We had some trouble connecting. Try again?" */
  trouble?: string;
  /** True between a submission and the app's acknowledgement. */
  isSubmitting: boolean;
};

/** The view that the app has published on this person's Home tab. */
export type HomeView = { viewId: string; blocks: KnownBlock[] };

/** Everything one person sees. */
export type Snapshot = {
  workspaceName: string;
  teamId: string;
  /** All workspaces of the local Slack, each with a person whose page shows it. */
  workspaces: { teamId: string; name: string; slackUserId: string }[];
  appName: string;
  /** How far the workspace's clock is ahead of the real time, in milliseconds, to the second. */
  aheadMs: number;
  me: Person;
  /** The people that the page can switch to, in configured order. */
  people: Person[];
  userGroups: { groupId: string; handle: string }[];
  conversations: Conversation[];
  /** Undefined if the app has no Home tab; `view` is, until the app publishes one. */
  home?: { view?: HomeView };
  /** The modal stack of the tab, bottom first, at most three views. */
  views: OpenView[];
  /** The commands that the message box completes. */
  commands: { command: string; description: string; usageHint?: string }[];
};

/**
 * A Snapshot in the event stream. `messages` are those that are new or changed since the last event of
 * the stream; a conversation lists all of its messages by their timestamps.
 */
export type SnapshotUpdate = Omit<Snapshot, 'conversations'> & {
  conversations: (Omit<Conversation, 'messages'> & { messageTs: string[] })[];
  messages: Message[];
};

/** A request that Slack sent to the app, or a call of the app, without credentials. */
export type Exchange = {
  id: number;
  /** When it began, by the workspace's clock, in ISO 8601. */
  at: string;
  to: 'app' | 'slack';
  /** The type of the request, or the method that was called. */
  name: string;
  /** `ok`, or what went wrong. */
  outcome: string;
  /** How long it took. */
  ms: number;
  request: unknown;
  response: unknown;
};

/**
 * Over HTTP, same origin as the page:
 * `GET /local/snapshots?as=<slackUserId>&tab=<id>` an event stream, one SnapshotUpdate as JSON in each
 * `data:`, the first at once, then after each change;
 * `GET /local/exchanges?after=<id>` the last exchanges since that one, as a list of Exchange, oldest first;
 * `POST /local/gestures?as=<slackUserId>&tab=<id>` a Gesture as JSON, answered with a GestureOutcome.
 * A modal opens in the tab whose gesture the app answers with it.
 */
export const paths = {
  snapshots: '/local/snapshots',
  gestures: '/local/gestures',
  exchanges: '/local/exchanges',
} as const;
