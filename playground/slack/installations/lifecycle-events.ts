import type { Deliver } from '../delivery.ts';
import { createEventDelivery } from '../event-delivery.ts';
import { nextId } from '../state.ts';
import { type Directory, organizationOf, statesAt } from './directory.ts';
import type { LifecycleEvent, Place } from './installation.ts';

/** https://docs.slack.dev/reference/events/app_uninstalled: an organization's has no `team_id`. */
const envelope = (directory: Directory, place: Place, event: LifecycleEvent) => {
  const [state] = statesAt(directory, place);
  if (!state) throw new Error('The place has no workspace.');
  const organization =
    place.kind === 'organization'
      ? directory.organization
      : organizationOf(directory, place.teamId);
  return {
    token: 'legacy-verification-token',
    ...(place.kind === 'workspace' ? { team_id: place.teamId } : {}),
    ...(organization ? { enterprise_id: organization.enterpriseId } : {}),
    api_app_id: directory.app.appId,
    event,
    type: 'event_callback',
    event_id: nextId(state, 'Ev'),
    event_time: Math.floor(directory.clock().getTime() / 1000),
  };
};

/** Delivers events about installations, one after another, if the app is subscribed to them. */
export const announceLifecycle = (directory: Directory, deliver: Deliver) => {
  const delivery = createEventDelivery(deliver);
  return {
    announce: async (place: Place, events: LifecycleEvent[]): Promise<void> => {
      for (const event of events) {
        if (!directory.app.events.includes(event.type)) continue;
        await delivery.send(envelope(directory, place, event));
      }
    },
    close: delivery.close,
  };
};
