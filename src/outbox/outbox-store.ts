import type { MessageRef } from '../slack/api/post.ts';
import type { Destination, Outgoing } from './message.ts';

/** A channel that one deliverer holds until the claim runs out. */
export type ClaimedChannel = {
  teamId: string;
  channelId: string;
  holder: string;
  heldUntil: Date;
  /** Failures in a row of what was to be said. */
  attempts: number;
  /** New messages in a row of which nobody knows whether they arrived. */
  unanswered: number;
};

/** How editing it has gone so far, if it was posted. */
type Editing = {
  /** Failures in a row. */
  attempts: number;
  /** Not tried again before this. */
  retryAt: Date | undefined;
};

/** The message whose turn it is, as a new post, as an edit or as a reply. */
export type WaitingMessage = Editing & {
  kind: 'message';
  id: number;
  version: number;
  position: number;
  message: Outgoing['message'];
  queuedAt: Date;
  /** Where it is, if it was posted before. */
  posted: MessageRef | undefined;
  /** Where the message is that it replies to; `missing` if that one was never posted. */
  thread: MessageRef | 'missing' | undefined;
};

export type Span = { from: Date; to: Date };

/** What was counted for a group since it began to come too fast. */
export type LiveSummary = Editing & {
  kind: 'summary';
  id: number;
  version: number;
  position: number;
  title: string;
  counts: Record<string, number>;
  since: Date;
  lastAt: Date;
  /** When that was raised, if the service tells of all of it. */
  raised: Span | undefined;
  /** Since when it holds something that its message does not show. */
  untoldSince: Date | undefined;
  sentAt: Date | undefined;
  posted: MessageRef | undefined;
};

export type Waiting = {
  /**
   * The first of each kind. A reply whose message waits before it is none of them, and an edit that
   * failed stands where its next try does.
   */
  post: WaitingMessage | undefined;
  edit: WaitingMessage | undefined;
  reply: WaitingMessage | undefined;
  summaries: LiveSummary[];
  /** No edit before this: Slack limits them in the workspace, or the last one here failed. */
  editsReadyAt: Date | undefined;
  /** Edits in a row that failed, of whatever message. */
  failedEdits: number;
  /** Edits and replies since the last new message. */
  changesInARow: number;
  /** Tells at the end whether more was queued meanwhile. */
  lastPlace: number;
};

/** What of one person's is given up with a channel: messages dropped, what posts there paused. */
export type Loss = { dropped: number; watches: number; digests: number };

export type DeliveryStore = {
  /** Channels in which something is due, held by nobody else, those that waited longest first. */
  claimChannels: (claim: {
    holder: string;
    at: Date;
    until: Date;
    limit: number;
  }) => Promise<ClaimedChannel[]>;
  readWaiting: (channel: ClaimedChannel) => Promise<Waiting>;
  /**
   * It was said. What was queued for it meanwhile goes on waiting. The channel is free again, and
   * ready for more at `readyAt`.
   */
  recordMessage: (
    channel: ClaimedChannel,
    sent: { message: WaitingMessage; posted: MessageRef; at: Date; readyAt: Date },
  ) => Promise<void>;
  /**
   * The same for a summary. One that `isLast` ends as it was told: what was counted meanwhile
   * begins the next one.
   */
  recordSummary: (
    channel: ClaimedChannel,
    sent: { summary: LiveSummary; posted: MessageRef; isLast: boolean; at: Date; readyAt: Date },
  ) => Promise<void>;
  /** It will never be said. A summary whose message is gone is posted anew when it grows. */
  recordRefusal: (
    channel: ClaimedChannel,
    refused: { item: WaitingMessage | LiveSummary; at: Date; readyAt: Date },
  ) => Promise<void>;
  /** Nobody can edit it any more where it was posted: it waits to be posted anew, in its place. */
  forgetPosted: (
    channel: ClaimedChannel,
    lost: { message: WaitingMessage; posted: MessageRef; readyAt: Date },
  ) => Promise<void>;
  /** Nothing to do here before `dueAt`, unless more was queued since `lastPlace`. */
  rest: (
    channel: ClaimedChannel,
    until: { dueAt: Date | undefined; lastPlace: number },
  ) => Promise<void>;
  /**
   * Lets go of the channel after a failure; nobody looks at it before `readyAt`. Without a number
   * what is unanswered stays so.
   */
  postpone: (
    channel: ClaimedChannel,
    until: { attempts: number; unanswered?: number; readyAt: Date },
  ) => Promise<void>;
  /**
   * Lets go of the channel after an edit that failed, as after one that was made: nothing but edits
   * waits for it. It is not tried again before `retryAt`, and no other one here before `editsReadyAt`.
   */
  postponeEdit: (
    channel: ClaimedChannel,
    failed: {
      item: WaitingMessage | LiveSummary;
      attempts: number;
      retryAt: Date;
      editsReadyAt: Date;
      readyAt: Date;
    },
  ) => Promise<void>;
  /** Keeps the edits of the workspace waiting in all channels, those that others hold too. */
  pauseEdits: (teamId: string, until: Date) => Promise<void>;
  /**
   * Pauses what posts there, gives up everything that waits and queues what `notify` says to each
   * owner who has not been told yet, at once. Returns what each of them lost.
   */
  abandon: (
    channel: ClaimedChannel,
    options: {
      at: Date;
      /** What people read of what is paused. */
      why: string;
      notify: (owner: string, loss: Loss) => { to: Destination; outgoing: Outgoing } | undefined;
    },
  ) => Promise<Loss[]>;
  /** Forgets what was settled before then, later what belongs to a group. */
  prune: (limits: { before: Date; groupedBefore: Date }) => Promise<void>;
};
