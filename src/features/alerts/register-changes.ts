import { type RefusalReason, refusals } from '../../audit-log/registry.ts';
import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import type {
  ActionInteraction,
  ActionResponse,
  Interaction,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, type ModalView } from '../../slack/ui/modal.ts';
import {
  isApproverOrAdmin,
  mayRequest,
  offersAction,
  shownRights,
} from '../../workspace/permissions.ts';
import { changeAlert, clear, type LogAlertChange, note } from './change-alerts.ts';
import { type ReportAlert, readAndReport, supportsAlertChanges } from './read-alert.ts';
import { alertGoneModal, alertModal, alertModalTitle } from './views/alert-modal.ts';
import { changeMessage } from './views/change-message.ts';
import { clearForm, clearModal, noteForm, noteModal } from './views/change-modals.ts';
import {
  type AlertValue,
  alertValue,
  clearActionId,
  detailsActionId,
  noteActionId,
} from './views/ids.ts';

export type ChangeDependencies = {
  logAlertChange: LogAlertChange;
  reportAlert: ReportAlert;
  clock: Clock;
};

const pending = { title: alertModalTitle, waiting: 'Loading the alert…' };

/** The details of an alert, for viewers; its note, for operators; clearing it, for approvers and admins. */
export function registerAlertChanges(
  listeners: Listeners,
  { logAlertChange, reportAlert, clock }: ChangeDependencies,
): void {
  /** Clearing can't be undone, so it takes an approver or an admin. Other attempts are logged. */
  async function refusalToClear(call: Interaction, alertId: string): Promise<string | undefined> {
    if (isApproverOrAdmin(call.person, await call.settings())) return undefined;
    await logRefusal(call, alertId, {
      action: 'alerts.clear',
      reason: refusals.notApproverOrAdmin.id,
    });
    return notAllowed;
  }

  /** The same for notes. Without roles, every full member is an operator. */
  async function refusalToNote(call: Interaction, alertId: string): Promise<string | undefined> {
    if (mayRequest(call.person, await call.settings())) return undefined;
    await logRefusal(call, alertId, { action: 'alerts.note', reason: refusals.notOperator.id });
    return notOperator;
  }

  /** Also if that isn't known: clicking the button then says so. */
  async function offersNote({ person, settings }: Interaction): Promise<boolean> {
    return !person.standing || offersAction(person, await settings(), 'alerts.note');
  }

  async function logRefusal(
    { teamId, person }: Interaction,
    alertId: string,
    { action, reason }: { action: 'alerts.clear' | 'alerts.note'; reason: RefusalReason },
  ): Promise<void> {
    await logAlertChange({
      teamId,
      at: clock(),
      event: 'refused',
      actor: person.slackUserId,
      action,
      subjectId: alertId,
      facts: { alertId, reason },
    });
  }

  async function change(
    { teamId, person, service }: Interaction,
    alertId: string,
    run: Parameters<typeof changeAlert>[1],
  ): Promise<Message> {
    const { client, connectionId } = await service();
    const input = { client, connectionId, teamId, alertId, actor: person.slackUserId, now: clock };
    const outcome = await changeAlert({ ...input, log: logAlertChange, report: reportAlert }, run);
    return outcome ? changeMessage(outcome) : gone;
  }

  /** Opens a modal at once and fills it with the alert as it is now, unless `refuse` objects. */
  async function openAboutAlert(
    call: ActionInteraction<AlertValue>,
    render: (alert: Alert, origin: AlertOrigin) => ModalView | Promise<ModalView>,
    refuse?: () => Promise<string | undefined>,
  ): Promise<ActionResponse | undefined> {
    const { teamId, value } = call;
    const { client, connectionId, portalUrl } = await call.service();
    const refusal = await refuse?.();
    if (refusal !== undefined) return { reply: notice(refusal) };
    const { alertId, channelId = call.channelId } = value;
    await fillModal(call, pending, async () => {
      const ref = { client, connectionId, teamId, alertId };
      const alert = await readAndReport(ref, reportAlert);
      return alert ? render(alert, { client, channelId, portalUrl }) : alertGoneModal(alertId);
    });
    return undefined;
  }

  listeners.action(detailsActionId, alertValue, (call) =>
    openAboutAlert(call, async (alert, { client, ...origin }) => {
      const canChange = await supportsAlertChanges(client);
      return alertModal(alert, {
        ...origin,
        canChange,
        canRestore: await offersOperation(client, 'restoreVolume'),
        mayClear: canChange && shownRights.isApproverOrAdmin(call.person, await call.settings()),
        mayNote: await offersNote(call),
      });
    }),
  );

  listeners.action(noteActionId, alertValue, (call) =>
    openAboutAlert(
      call,
      (alert, { channelId }) => noteModal(alert, channelId),
      () => refusalToNote(call, call.value.alertId),
    ),
  );

  listeners.action(clearActionId, alertValue, (call) =>
    openAboutAlert(
      call,
      (alert, { channelId }) => clearModal(alert, channelId),
      () => refusalToClear(call, call.value.alertId),
    ),
  );

  listeners.form(noteForm, {
    async run(call) {
      const { alertId, notesHash: shownNotesHash } = call.metadata;
      const refusal = await refusalToNote(call, alertId);
      if (refusal !== undefined) return notice(refusal);
      const text = call.entered.note;
      return change(call, alertId, (input) => note({ ...input, text, shownNotesHash }));
    },
  });

  listeners.form(clearForm, {
    async run(call) {
      const { alertId } = call.metadata;
      // Checked again, because the person may have lost the right since the modal was opened.
      const refusal = await refusalToClear(call, alertId);
      return refusal === undefined ? change(call, alertId, clear) : notice(refusal);
    },
  });
}

/** `channelId` is where the answer to a modal about the alert goes. */
type AlertOrigin = {
  client: ServiceClient;
  channelId: string | undefined;
  portalUrl: string | undefined;
};

const notAllowed =
  "Only approvers and admins can clear alerts, because clearing can't be undone. Nothing was changed. Ask one of them to clear this alert.";
const notOperator =
  'Only operators can change alert notes. Nothing was changed. Ask an admin for the operator role.';
const gone = notice(
  'This alert no longer exists. Nothing was changed. Run `/belay alerts` to see the active alerts.',
);
