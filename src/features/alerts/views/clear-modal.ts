import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { section } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { alertHeading } from './alert-section.ts';
import { clearCallbackId } from './ids.ts';

/** Asks once more: nothing brings a cleared alert back. */
export function clearModal(alert: Alert, channelId: string | undefined): ModalView {
  return formModal({
    title: 'Clear this alert?',
    callbackId: clearCallbackId,
    submit: 'Clear for good',
    metadata: encodeValue({ alertId: alert.id, channelId }),
    blocks: [
      alertHeading(alert),
      section(
        ':warning: *This cannot be undone.* A cleared alert never becomes active again. Clearing does not solve the problem; it only takes the alert off the list.',
      ),
      section('Its note stays. The decision log will say that you cleared it.'),
    ],
  });
}
