import { refusals } from '../../audit-log/registry.ts';
import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type { ActionCall, Answer, Call } from '../../slack/listeners/call.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, type ModalView } from '../../slack/ui/modal.ts';
import {
  type ChangeRights,
  isApproverOrAdmin,
  notConnected,
  type OpenService,
} from '../workspaces/index.ts';
import { changeAlert, clear, type LogAlertChange, note } from './change-alerts.ts';
import { offersChange } from './offers-change.ts';
import { readToShow, type ShowChange } from './show-alert.ts';
import { alertModal, alertModalTitle, vanishedAlertModal } from './views/alert-modal.ts';
import { type AlertValue, alertValue } from './views/alert-values.ts';
import { changeMessage } from './views/change-message.ts';
import { clearModal } from './views/clear-modal.ts';
import {
  clearActionId,
  clearCallbackId,
  detailsActionId,
  noteActionId,
  noteCallbackId,
} from './views/ids.ts';
import { noteBlockId, noteMetadata, noteModal } from './views/note-modal.ts';

export type AlertChanging = ChangeRights & {
  logAlertChange: LogAlertChange;
  showChange: ShowChange;
};

type Dependencies = {
  openService: OpenService;
  clock: Clock;
  changing: AlertChanging;
};

const pending = { title: alertModalTitle, waiting: 'Asking the data-protection service…' };

/** The details of an alert, and from there its note, for anybody, and its clearing, for some. */
export function registerAlertChanges(
  listeners: Listeners,
  { openService, clock, changing }: Dependencies,
): void {
  /** Nobody can take a clear back, so it is for those who decide, and for admins. */
  const mayClear = ({ teamId, person }: Call) => isApproverOrAdmin(teamId, person, changing);

  /** Undefined for those who may; for others it is logged. */
  async function refusalToClear(call: Call, alertId: string): Promise<Message | undefined> {
    if (await mayClear(call)) return undefined;
    const { teamId, person } = call;
    await changing.logAlertChange({
      ...{ teamId, at: clock(), event: 'refused', actor: person.slackUserId },
      ...{ action: 'alerts.clear', subjectId: alertId },
      facts: { alertId, reason: refusals.notApproverOrAdmin.id },
    });
    return notForYou;
  }

  async function change(
    { teamId, person }: Call,
    alertId: string,
    act: Parameters<typeof changeAlert>[1],
  ): Promise<Message> {
    const service = await openService(teamId);
    if (!service) return notConnected;
    const { client, connectionId } = service;
    const wish = { client, connectionId, teamId, alertId, actor: person.slackUserId, now: clock };
    const { logAlertChange: log, showChange: show } = changing;
    const outcome = await changeAlert({ ...wish, log, show }, act);
    return outcome ? changeMessage(outcome) : gone;
  }

  /** Draws an alert as it is now, unless there is a refusal or the alert is gone. */
  async function showAboutAlert(
    call: ActionCall<AlertValue>,
    draw: (alert: Alert, origin: AlertOrigin) => ModalView | Promise<ModalView>,
    refusal?: () => Promise<Message | undefined>,
  ): Promise<Answer | undefined> {
    const { teamId, value } = call;
    const service = await openService(teamId);
    if (!service) return { reply: notConnected };
    const refused = await refusal?.();
    if (refused) return { reply: refused };
    const { alertId, channelId = call.channelId } = value;
    const { client, connectionId } = service;
    await fillModal(call, pending, async () => {
      const asked = { client, connectionId, teamId, alertId };
      const alert = await readToShow(asked, changing.showChange);
      return alert ? draw(alert, { client, channelId }) : vanishedAlertModal(alertId);
    });
    return undefined;
  }

  listeners.action(detailsActionId, alertValue, (call) =>
    showAboutAlert(call, async (alert, { client, channelId }) => {
      const canChange = await offersChange(client);
      const allowed = canChange && (await mayClear(call));
      return alertModal(alert, { channelId, canChange, mayClear: allowed });
    }),
  );

  listeners.action(noteActionId, alertValue, (call) =>
    showAboutAlert(call, (alert, { channelId }) => noteModal(alert, channelId)),
  );

  listeners.action(clearActionId, alertValue, (call) =>
    showAboutAlert(
      call,
      (alert, { channelId }) => clearModal(alert, channelId),
      () => refusalToClear(call, call.value.alertId),
    ),
  );

  listeners.submission(noteCallbackId, {
    metadata: noteMetadata,
    run: (call) => {
      const { alertId, seenDigest } = call.metadata;
      const text = call.values.text(noteBlockId) ?? '';
      return change(call, alertId, (wish) => note({ ...wish, text, seenDigest }));
    },
    typed: (values) => values.text(noteBlockId),
  });

  listeners.submission(clearCallbackId, {
    metadata: alertValue,
    async run(call) {
      const { alertId } = call.metadata;
      // Looked at again: rights may have gone while the question stood there.
      return (await refusalToClear(call, alertId)) ?? change(call, alertId, clear);
    },
  });
}

/** Where an alert was asked for, and where the answer to a form about it goes. */
type AlertOrigin = { client: ServiceClient; channelId: string | undefined };

const notForYou = notice(
  'Clearing an alert cannot be undone, so it is for approvers and for admins of this workspace. Nothing was changed. Please ask one of them.',
);
const gone = notice(
  'This alert no longer exists in the service. Nothing was changed. Run `/belay alerts` to see those that do.',
);
