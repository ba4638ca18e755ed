import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { Outgoing } from '../../outbox/message.ts';
import type { AlertSearch, Deed } from '../alerts/index.ts';

/** A channel's standing wish to see new alerts. */
export type Watch = {
  id: string;
  teamId: string;
  connectionId: string;
  channelId: string;
  search: AlertSearch;
  createdBy: string;
  createdAt: Date;
  changedBy: string | undefined;
  changedAt: Date | undefined;
  /**
   * The newest update of the service that was seen when the watch began, or when its filter was
   * changed; undefined when there were no alerts.
   */
  anchor: Date | undefined;
  /** All that was updated before this moment of the service was seen. */
  highWater: Date | undefined;
  highWaterAlertId: string | undefined;
  /** How many alerts have a message of their own, and how many were counted in a summary. */
  postedCount: number;
  countedCount: number;
  pausedReason: string | undefined;
};

export type WatchRef = { teamId: string; id: string };

/** How a watch told of an alert: in its own message, in a summary, or not at all. */
export type NotifiedAs = 'own' | 'counted' | 'not_told';

/** What is compared of an alert to tell what is new about it. */
export type AlertFacts = {
  updatedAt: Date | undefined;
  raisedCount: number | undefined;
  severity: string | undefined;
  notesDigest: string | undefined;
  isCleared: boolean;
};

export type SeenAlert = AlertFacts & {
  notifiedAs: NotifiedAs;
  readAt: Date;
  notifiedAt: Date | undefined;
};

/** An alert as the service had it at a moment, with the name by which watches remember it. */
export type ReadAlert = {
  key: string;
  alert: Alert;
  readAt: Date;
  /** What somebody has just done to it through Belay; whatever else is new was somebody else. */
  deed?: Deed | undefined;
};

/** What to remember of an alert, and what to tell of it, if anything. */
export type Verdict = { facts: AlertFacts; outgoing?: Outgoing | undefined };

export type Judge = (
  watch: Watch,
  read: ReadAlert,
  seen: SeenAlert | undefined,
) => Verdict | undefined;

export const maxWatchesPerChannel = 20;
