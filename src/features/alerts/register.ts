import { readAlert } from '../../dataprotection/alerts.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError } from '../../dataprotection/errors.ts';
import type { Message } from '../../slack/blocks.ts';
import type { Listeners } from '../../slack/listeners.ts';
import { type ModalView, openPendingModal } from '../../slack/modal.ts';
import { unescapeMrkdwn } from '../../slack/mrkdwn.ts';
import type { Subcommand } from '../../slack/subcommand.ts';
import { notConnected, type OpenService } from '../workspaces/workspaces.ts';
import { alertListMessage } from './alert-list-message.ts';
import { alertModal, alertModalTitle, vanishedAlertModal } from './alert-modal.ts';
import { detailsValue, longestFilter, pageValue } from './alert-values.ts';
import { type AlertQuery, findAlerts } from './find-alerts.ts';
import { detailsActionId, newerActionId, olderActionId } from './ids.ts';

/** As long as a person waits for a list. */
const searchMs = 8000;
const maxServicePages = 200;

export function registerAlerts(
  listeners: Listeners,
  { openService }: { openService: OpenService },
): Subcommand[] {
  async function showPage(teamId: string, query: AlertQuery): Promise<Message> {
    const service = await openService(teamId);
    if (!service) return notConnected;
    const signal = AbortSignal.timeout(searchMs);
    return alertListMessage(await findAlerts(service.client, query, { signal, maxServicePages }));
  }

  for (const actionId of [newerActionId, olderActionId]) {
    listeners.action(
      actionId,
      pageValue,
      async ({ value, teamId }) => ({ replace: await showPage(teamId, value) }),
      { isAnnounced: true },
    );
  }

  listeners.action(detailsActionId, detailsValue, async ({ value, teamId, slack, triggerId }) => {
    const service = await openService(teamId);
    if (!service) return { reply: notConnected };
    const waiting = 'Asking the data-protection service…';
    await openPendingModal({ slack, triggerId }, { title: alertModalTitle, waiting }, () =>
      showAlert(service.client, value.alertId),
    );
    return undefined;
  });

  return [
    {
      name: 'alerts',
      usage: 'alerts [text]',
      summary: 'Show active alerts, newest first; with a text, those that contain it',
      async run({ teamId, text }) {
        const filter = unescapeMrkdwn(text).trim().slice(0, longestFilter);
        return showPage(teamId, { filter, pageNumber: 1 });
      },
    },
  ];
}

async function showAlert(client: ServiceClient, alertId: string): Promise<ModalView> {
  try {
    return alertModal(await readAlert(client, alertId));
  } catch (error) {
    if (error instanceof NotFoundError) return vanishedAlertModal(alertId);
    throw error;
  }
}
