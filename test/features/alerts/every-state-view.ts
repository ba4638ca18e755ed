import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import type { AlertState, AlertStateChange } from '../../../src/features/alerts/index.ts';
import { assignModal, snoozeModal } from '../../../src/features/alerts/views/change-modals.ts';
import { plainTitle } from '../../../src/features/alerts/views/format-alert.ts';
import {
  assignedMessage,
  stateMessage,
} from '../../../src/features/alerts/views/state-messages.ts';
import { channelId, people, sampleNow } from '../sample-place.ts';

export const sampleState: AlertState = {
  alertId: 'a1',
  title: 'vm-12 · Restore failed',
  severity: 'error',
  raisedAt: sampleNow,
  owner: { slackUserId: people.ana, since: sampleNow, raisedCount: undefined },
  snooze: { until: sampleNow, by: people.ben },
  changedAt: sampleNow,
};

const changes: AlertStateChange[] = [
  { what: 'acknowledge', to: people.ana },
  { what: 'assign', to: people.ana },
  { what: 'release', from: people.ana },
  { what: 'snooze', by: people.ana, until: sampleNow },
  { what: 'end-snooze' },
];

/** Every message and form about the owner or the snooze of an alert. */
export function everyStateView(alert: Alert): Record<string, unknown[]> {
  const about = { alertId: alert.id, title: plainTitle(alert) };
  return {
    assignModal: [undefined, sampleState.owner].map((owner) =>
      assignModal(alert, channelId, owner),
    ),
    snoozeModal: [snoozeModal(alert, channelId, 'Europe/Berlin')],
    assignedMessage: [assignedMessage(alert, people.ana)],
    stateMessage: changes.flatMap((change) =>
      [change.what, 'unchanged' as const, 'was-cleared' as const].flatMap((result) =>
        [people.ana, people.ben].flatMap((actor) =>
          [undefined, sampleState].flatMap((state) =>
            [true, false].map((isShown) =>
              stateMessage({ result, change, state, isShown, ...about }, actor),
            ),
          ),
        ),
      ),
    ),
  };
}
