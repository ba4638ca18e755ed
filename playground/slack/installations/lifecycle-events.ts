import type { Deliver } from '../delivery.ts';
import { createEventDelivery } from '../event-delivery.ts';
import { nextId } from '../state.ts';
import { type Directory, organizationAt, statesAt } from './directory.ts';
import type { InstallTarget, LifecycleEvent } from './installation.ts';

/** https://docs.slack.dev/reference/events/app_uninstalled: an organization's has no `team_id`. */
const envelope = (directory: Directory, target: InstallTarget, event: LifecycleEvent) => {
  const [state] = statesAt(directory, target);
  if (!state) throw new Error('The organization has no workspace.');
  const organization = organizationAt(directory, target);
  return {
    token: 'legacy-verification-token',
    ...(target.kind === 'workspace' ? { team_id: target.teamId } : {}),
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
    announce: async (target: InstallTarget, events: LifecycleEvent[]): Promise<void> => {
      for (const event of events) {
        if (!directory.app.events.includes(event.type)) continue;
        await delivery.send(envelope(directory, target, event));
      }
    },
    close: delivery.close,
  };
};
