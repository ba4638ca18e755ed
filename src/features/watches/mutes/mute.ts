import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import type { Subscription } from '../../../subscriptions/subscription.ts';
import { type AlertSearch, createAlertMatcher } from '../../alerts/index.ts';

export const maxMutesPerChannel = 20;
/** Unless the mute has no end. */
export const maxMuteDays = 30;
/** In characters. */
export const maxReasonLength = 300;

/**
 * Alerts that the watches of a channel hold until the mute ends. Its search names severities: one that is
 * worse, or that Belay doesn't know, is always posted.
 */
export type Mute = Subscription & {
  originId: string;
  search: AlertSearch;
  reason: string;
  /** Undefined until somebody ends it. */
  endsAt: Date | undefined;
};

/** The mute of the channel that an alert matches. */
export type FindMute = (channelId: string, alert: Alert) => Mute | undefined;

/** Create it once for all alerts of a page. */
export function createFindMute(mutes: readonly Mute[], now: Date): FindMute {
  const matchers = mutes.map((mute) => ({
    mute,
    isMatch: createAlertMatcher({ ...mute.search, status: 'all' }, now),
  }));
  const byChannel = Map.groupBy(matchers, ({ mute }) => mute.channelId);
  return (channelId, alert) =>
    byChannel.get(channelId)?.find(({ isMatch }) => isMatch(alert))?.mute;
}
