import { directChannelId } from './conversations.ts';
import type { EventDelivery } from './event-delivery.ts';
import { envelope } from './events.ts';
import type { LocalState } from './state.ts';
import { homeObject } from './view-object.ts';

/** `view` is what the person sees; without one until the app has published something. */
const openedEvent = (state: LocalState, slackUserId: string) => {
  const view = state.homes.get(slackUserId);
  return {
    type: 'app_home_opened',
    user: slackUserId,
    channel: directChannelId(slackUserId),
    tab: 'home',
    event_ts: (state.clock().getTime() / 1000).toFixed(6),
    ...(view ? { view: homeObject(state, view, {}) } : {}),
  };
};

/**
 * Tells the app that somebody opened its Home tab, if it is subscribed. Needs no scope.
 * https://docs.slack.dev/reference/events/app_home_opened
 */
export const sendHomeEvents =
  (state: LocalState, { send }: EventDelivery): LocalState['onHomeOpened'] =>
  async (slackUserId) => {
    if (!state.workspace.app.events.includes('app_home_opened')) return;
    await send(envelope(state, openedEvent(state, slackUserId)));
  };
