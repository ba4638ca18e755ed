import type { Outgoing } from '../../outbox/message.ts';
import type { KeptSample } from './compliance-samples.ts';
import type { Digest, DigestSettings } from './digest.ts';

/** A digest that is being put together: nobody else does until the lease ends. */
export type Claim = {
  digest: Digest;
  /** The time it was due, before any edit moved it. */
  dueAt: Date;
  holder: string;
  /** From 1. */
  attempt: number;
};

export type DigestRef = { teamId: string; channelId: string; id: string };

export type NewDigest = Omit<Digest, 'changedBy' | 'version' | 'dueAt' | 'pausedReason'> & {
  createdAt: Date;
  /** The view whose submission asks: the same view asks once. */
  sourceViewId: string;
};

/** What was told, for the next one to begin from. */
export type DigestRun = {
  at: Date;
  since: Date;
  /** Undefined when the service could not be read: the next digest begins where the last one ended. */
  told:
    | { connectionId: string; counts: Record<string, number>; readings: KeptSample[] }
    | undefined;
  /** Undefined for silence. */
  outgoing: Outgoing | undefined;
  nextRunAt: Date;
  /** Its runs that were due before then are forgotten. */
  keptSince: Date;
};

export type DigestStore = {
  /**
   * No more than `atMost` in the channel. `tell` is queued with what it tells, here and where a digest
   * is changed or ended.
   */
  create: (
    digest: NewDigest,
    begun: { tell: Outgoing | undefined; atMost: number },
  ) => Promise<'created' | 'created-before' | 'too-many'>;
  /**
   * What is due at that moment, tried again or put off, stays due since it was. Whoever is putting it
   * together cannot finish it: it comes by the new settings. Nothing is changed when somebody else has
   * changed it since. Undefined when it is no longer there.
   */
  change: (
    ref: DigestRef,
    change: {
      settings: DigestSettings;
      /** The version that the person has seen. */
      basedOn: number;
      by: string;
      at: Date;
      nextRunOf: (state: { isDue: boolean }) => Date;
      tell: Outgoing | undefined;
    },
  ) => Promise<{ result: 'changed' | 'changed-meanwhile'; digest: Digest } | undefined>;
  /** Its runs go with it. Undefined when it is no longer there. */
  end: (
    ref: DigestRef,
    ending: { tell: Outgoing | undefined; at: Date },
  ) => Promise<Digest | undefined>;
  find: (ref: DigestRef) => Promise<Digest | undefined>;
  list: (channel: { teamId: string; channelId: string }) => Promise<Digest[]>;
  /**
   * One that is due and that nobody is at. What was tried less comes first, so that digests of a service
   * that hangs hold back no others; of these, the longest due.
   */
  claimDue: (claim: { now: Date; leaseUntil: Date; holder: string }) => Promise<Claim | undefined>;
  /** Those that are paused there go on, at the time that `nextRunOf` says. Returns how many. */
  resume: (channel: {
    teamId: string;
    channelId: string;
    nextRunOf: (settings: DigestSettings) => Date;
  }) => Promise<number>;
  /**
   * Writes down what was told, queues the message and sets the next time, all of it or nothing.
   * False when the lease went to somebody else or the digest was ended.
   */
  finish: (claim: Claim, run: DigestRun) => Promise<boolean>;
  /**
   * Whether what it told at that moment, over that connection, was that there are no policies. Of these
   * no sample is kept.
   */
  toldNoPolicies: (told: { digestId: string; connectionId: string; at: Date }) => Promise<boolean>;
  /** Requests that wait for a decision. */
  countWaiting: (teamId: string) => Promise<number>;
};
