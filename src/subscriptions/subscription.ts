import type { Selectable } from 'kysely';
import type { Timestamp } from '../database/column-types.ts';

/** What the table of every kind of subscription has. */
export type SubscriptionColumns<Origin extends string | null = string> = {
  id: string;
  team_id: string;
  /** The origin of its connection. */
  connection_origin_id: Origin;
  channel_id: string;
  /** The owner's Slack user id. */
  created_by: string;
  created_at: Timestamp;
  /** Set while the channel can't be reached. */
  paused_at: Timestamp | null;
  paused_reason: string | null;
};

export type SharedRow = Selectable<SubscriptionColumns<string | null>>;

/** What a channel has asked for, until somebody ends it. */
export type Subscription = {
  id: string;
  teamId: string;
  /** Of its connection, the same after it was replaced; undefined for the default one. */
  originId: string | undefined;
  channelId: string;
  /** The owner's Slack user id: may change it, and is notified if its channel is lost. */
  createdBy: string;
  createdAt: Date;
  /** Why it is paused: its channel can't be reached. */
  pausedReason: string | undefined;
};

export type Channel = Pick<Subscription, 'teamId' | 'channelId'>;

/** With a channel, one of that channel only. */
export type Ref = { teamId: string; id: string; channelId?: string };

export type NewSubscription = Omit<Subscription, 'createdAt' | 'pausedReason'> & { at: Date };

/** Who changes or ends it: a Slack user id, or the operator's name. */
export type ChangedBy = { by: string; at: Date };

export type Change = 'added' | 'changed' | 'ended';

/** The fields that rows of all kinds have in common. */
export function sharedFields<Origin extends string | null>(
  row: SharedRow & { connection_origin_id: Origin },
) {
  return {
    id: row.id,
    teamId: row.team_id,
    originId: row.connection_origin_id,
    channelId: row.channel_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    pausedReason: row.paused_reason ?? undefined,
  };
}
