import type { Outgoing } from '../../outbox/message.ts';
import type { AlertSearch } from '../alerts/index.ts';
import type { Remembered } from './retention.ts';
import type { Outage } from './trouble-notice.ts';
import type { AlertFacts, Judge, ReadAlert, Watch, WatchRef } from './watch.ts';

/** Where a watch begins: what the service's list of alerts ends with at this moment. */
export type Anchor = {
  highWater: Date | undefined;
  alertId: string | undefined;
  /** What is there but might look new on the next read; none of it is told. */
  known: { alertKey: string; facts: AlertFacts }[];
};

export type NewWatch = {
  id: string;
  teamId: string;
  enterpriseId: string | undefined;
  connectionId: string;
  channelId: string;
  search: AlertSearch;
  createdBy: string;
  at: Date;
};

/** What the channel is told of a change; queued in the transaction that makes it. */
export type Tell = (watch: Watch) => Outgoing;

export type Created =
  | { result: 'created'; watch: Watch }
  /** There is one with the same filter. */
  | { result: 'duplicate'; watch: Watch }
  | { result: 'too-many' };

export type ListedWatch = Watch & { trouble: Trouble | undefined };

export type Trouble = { words: string; since: Date };

type Change = WatchRef & { by: string; at: Date; tell: Tell };

/** Watches as people set them up. Only those that have not ended are found. */
export type WatchStore = {
  create: (
    watch: NewWatch,
    begun: { anchor: Anchor; tell: Tell; atMost: number },
  ) => Promise<Created>;
  /** Oldest first. */
  list: (channel: { teamId: string; channelId: string }) => Promise<ListedWatch[]>;
  find: (ref: WatchRef) => Promise<Watch | undefined>;
  /** The watch begins anew with what it has not seen yet. Undefined when it has ended. */
  change: (change: Change & { search: AlertSearch }) => Promise<Watch | 'duplicate' | undefined>;
  /** True for the one who ended it. */
  end: (change: Change) => Promise<boolean>;
  /** What was paused goes on from the anchor; what came meanwhile is not told. */
  resume: (channel: {
    teamId: string;
    channelId: string;
    connectionId: string;
    anchor: Anchor;
    at: Date;
  }) => Promise<number>;
  /** Forgets alerts that nobody will hear of again, or that have not moved for very long. */
  forget: (remembered: Remembered) => Promise<void>;
};

/** How the watches of a connection fare. */
export type Reading = {
  connectionId: string;
  /** In a row. */
  failures: number;
  /**
   * Of those in a row, lookups of an alert that strays knew which failed while the list could be read.
   */
  failedLookups: number;
  /** `notifiedAt` is when channels were warned of it. */
  trouble: (Trouble & { notifiedAt: Date | undefined }) | undefined;
};

/** One reading of one connection's alerts, by whoever holds the lease. */
export type Poll = Reading & { teamId: string; holder: string };

/** The watches of a connection that this one has replaced: they see nothing until they are taken over. */
export type Strays = Reading & { watches: Watch[] };

export type ClaimedPoll = Poll & { watches: Watch[]; strays: Strays[] };

/** The part of the store that the poller needs. Whatever takes a `poll` writes only under its lease. */
export type PollStore = {
  /** The one that is due for longest, if nobody else is at it. */
  claim: (lease: { holder: string; at: Date; until: Date }) => Promise<ClaimedPoll | undefined>;
  /** Takes strays over, and their connections out of trouble. False when the lease is lost. */
  follow: (
    poll: Poll,
    strays: {
      goOn: Watch[];
      /** Undefined when none does. */
      beginAnew: { watches: Watch[]; anchor: Anchor } | undefined;
      at: Date;
      /** Asked for each channel: whether all of it goes on, and the trouble that it was told of. */
      tell: (channel: { goesOn: boolean; told: Outage[] }) => Outgoing[];
    },
  ) => Promise<boolean>;
  /** Judges each alert for each watch, remembers it and queues what is to be told, at once. */
  recordPage: (
    poll: Poll,
    page: {
      watches: Watch[];
      alerts: ReadAlert[];
      at: Date;
      leaseUntil: Date;
      judge: Judge;
    },
  ) => Promise<boolean>;
  /**
   * The same for alerts that were read without a poll, and only for the watches that have a message
   * of their own about them.
   */
  recordNotified: (read: {
    teamId: string;
    connectionId: string;
    alerts: ReadAlert[];
    at: Date;
    judge: Judge;
  }) => Promise<void>;
  finish: (
    poll: Poll,
    done: {
      watches: Watch[];
      /** Undefined leaves it as it is. */
      highWater: { at: Date; alertId: string } | undefined;
      at: Date;
      nextPollAt: Date;
      /** For each channel that was warned of trouble, those included whose watches have ended. */
      tellOver: (there: Watch[]) => Outgoing;
    },
  ) => Promise<void>;
  /** Notes that these watches have not seen all: the poll's own, or strays. The lease is kept. */
  fail: (
    poll: Poll,
    failure: {
      reading: Reading & { watches: Watch[] };
      words: string;
      at: Date;
      /** It counts as one more of these, or else ends them. */
      isFailedLookup: boolean;
      /** For each channel; given when they are to hear of it. */
      tell: (() => Outgoing) | undefined;
    },
  ) => Promise<void>;
  /** Gives the lease back. */
  release: (poll: Poll, nextPollAt: Date) => Promise<void>;
};
