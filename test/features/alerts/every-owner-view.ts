import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import {
  assignedMessage,
  assignModal,
  ownerMessage,
} from '../../../src/features/alerts/views/owner-messages.ts';
import { channelId, people, sampleNow } from '../sample-place.ts';

export const sampleOwner = {
  slackUserId: people.ana,
  since: sampleNow,
  severity: 'error',
  raisedCount: undefined,
};

/** Every message and form about the owner of an alert. */
export function everyOwnerView(alert: Alert): Record<string, unknown[]> {
  const results = ['acknowledge', 'assign', 'release', 'unchanged', 'was-cleared'] as const;
  return {
    assignModal: [undefined, sampleOwner].map((owner) => assignModal(alert, channelId, owner)),
    assignedMessage: [assignedMessage(alert, people.ana)],
    ownerMessage: results.flatMap((result) =>
      [people.ana, people.ben].flatMap((actor) =>
        [undefined, sampleOwner].map((owner) => ownerMessage({ result, alert, owner }, actor)),
      ),
    ),
  };
}
