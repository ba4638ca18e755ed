import type { Transaction } from 'kysely';
import type { Tables } from '../../database/tables.ts';

export type ChannelRef = { teamId: string; channelId: string };

/** What one feature paused in a channel: `owners` has the person who set it up, once for each. */
export type Paused = {
  noun: string;
  plural: string;
  /** Resumes it, run in the channel: `/belay watch`. */
  command: string;
  owners: string[];
};

/**
 * How the outbox reports undeliverable messages to the features that post through it; `open-stores.ts`
 * registers one for each feature. They are called in the transaction of the change, before the
 * channel's row is locked: features lock their own rows first, then the channel's.
 */
export type OutboxHandlers = {
  /** Nobody can post in the channel any more: pause what posts there, with `reason` for people. */
  onChannelUnreachable?: (
    trx: Transaction<Tables>,
    channel: ChannelRef,
    unreachable: { at: Date; reason: string },
  ) => Promise<Paused>;
  /** The messages about these subjects were given up before anybody saw them. */
  onMessagesDropped?: (
    trx: Transaction<Tables>,
    channel: ChannelRef,
    subjects: string[],
  ) => Promise<void>;
};
