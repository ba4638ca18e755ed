import { type RefusalReason, refusals } from '../../audit-log/registry.ts';
import type { Clock } from '../../clock.ts';
import type { OnConnection } from '../../database/connection-origin.ts';
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
import { mention } from '../../slack/ui/mrkdwn.ts';
import type { Access } from '../../workspace/access/access.ts';
import { offersTo } from '../../workspace/call.ts';
import {
  isApproverOrAdmin,
  mayRequest,
  mayView,
  shownRights,
} from '../../workspace/permissions.ts';
import { alertKey } from './alert-key.ts';
import { changeAlert, clear, type LogAlertChange, note } from './change-alerts.ts';
import {
  type ChangeAlertState,
  changeAlertState,
  type ForgetAlert,
  type ShowAlertState,
} from './change-state.ts';
import { registerClearings } from './clearing/register-clearings.ts';
import { type ReportAlert, readAndReport, supportsAlertChanges } from './read-alert.ts';
import { registerSnooze } from './register-snooze.ts';
import type { AlertState, AlertStateChange, AlertStates } from './store/alert-states.ts';
import type { Clearings } from './store/clearings.ts';
import { alertGoneModal, alertModal, alertModalTitle } from './views/alert-modal.ts';
import { changeMessage } from './views/change-message.ts';
import { clearForm, clearModal, noteForm, noteModal } from './views/change-modals.ts';
import {
  type AlertValue,
  acknowledgeActionId,
  alertValue,
  assignActionId,
  clearActionId,
  detailsActionId,
  noteActionId,
  releaseActionId,
} from './views/ids.ts';
import { assignForm, assignModal, stateMessage } from './views/state-messages.ts';

export type ChangeDependencies = {
  logAlertChange: LogAlertChange;
  clearings: Clearings;
  reportAlert: ReportAlert;
  changeState: ChangeAlertState;
  showState: ShowAlertState;
  readAlertStates: (of: OnConnection, keys: string[]) => Promise<AlertStates>;
  forgetAlert: ForgetAlert;
  access: Pick<Access, 'readPerson'>;
  clock: Clock;
};

const pending = { title: alertModalTitle, waiting: 'Loading the alert…' };

/**
 * The details of an alert, for viewers; its owner, snooze and note, for operators; clearing it, for
 * approvers and admins.
 */
export function registerAlertChanges(
  listeners: Listeners,
  {
    logAlertChange,
    clearings,
    reportAlert,
    changeState,
    showState,
    readAlertStates,
    forgetAlert,
    access,
    clock,
  }: ChangeDependencies,
): void {
  /** Clearing can't be undone, so it takes an approver or an admin. Other attempts are logged. */
  async function refusalToClear(
    call: Interaction,
    alertId?: string | undefined,
  ): Promise<string | undefined> {
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

  /** The same for the owner and the snooze. */
  const refusalToChange =
    (action: 'alerts.own' | 'alerts.snooze') =>
    async (call: Interaction, alertId: string): Promise<string | undefined> => {
      if (mayRequest(call.person, await call.settings())) return undefined;
      await logRefusal(call, alertId, { action, reason: refusals.notOperator.id });
      return notOperatorToChange;
    };
  const refusalToOwn = refusalToChange('alerts.own');

  async function logRefusal(
    { teamId, person }: Interaction,
    alertId: string | undefined,
    {
      action,
      reason,
    }: {
      action: 'alerts.clear' | 'alerts.note' | 'alerts.own' | 'alerts.snooze';
      reason: RefusalReason;
    },
  ): Promise<void> {
    await logAlertChange({
      teamId,
      at: clock(),
      event: 'refused',
      actor: person.slackUserId,
      action,
      subjectId: alertId,
      facts: alertId === undefined ? { reason } : { alertId, reason },
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
    const { client, connectionId, originId, portalUrl } = await call.service();
    const refusal = await refuse?.();
    if (refusal !== undefined) return { reply: notice(refusal) };
    const { alertId, channelId = call.channelId } = value;
    await fillModal(call, pending, async () => {
      const ref = { client, connectionId, teamId, alertId };
      const alert = await readAndReport(ref, reportAlert);
      const key = alertKey({ id: alertId });
      if (!alert) {
        await forgetAlert({ teamId, originId }, key);
        return alertGoneModal(alertId);
      }
      const state = (await readAlertStates({ teamId, originId }, [key])).get(key);
      return render(alert, { client, channelId, portalUrl, state });
    });
    return undefined;
  }

  async function changeStateOf(
    call: Interaction,
    { alertId, title = alertId, raisedCount }: AlertValue,
    stateChange: AlertStateChange,
  ) {
    const { client, connectionId, originId } = await call.service();
    return changeAlertState(stateChange, {
      client,
      connectionId,
      originId,
      teamId: call.teamId,
      alertId,
      actor: call.person.slackUserId,
      seen: { id: alertId, title, raisedCount },
      now: clock,
      changeState,
      showState,
      forgetAlert,
      report: reportAlert,
    });
  }

  /**
   * The details show the result themselves, if the alert could be read. The message of a watch is edited with
   * all others about the alert, in their order: replaced by this answer, it could show an older state.
   */
  async function changeAndShow(
    call: ActionInteraction<AlertValue>,
    stateChange: AlertStateChange,
  ): Promise<ActionResponse | undefined> {
    const { viewId, person, value, optionText: title } = call;
    const outcome = await changeStateOf(call, { title, ...value }, stateChange);
    if (viewId !== undefined && outcome?.alert) return showDetails(call);
    return { reply: outcome ? stateMessage(outcome, person.slackUserId) : gone };
  }

  async function changeAndTell(
    call: Interaction,
    alertId: string,
    stateChange: AlertStateChange,
  ): Promise<Message> {
    const outcome = await changeStateOf(call, { alertId }, stateChange);
    return outcome ? stateMessage(outcome, call.person.slackUserId) : gone;
  }

  const showDetails = (call: ActionInteraction<AlertValue>) =>
    openAboutAlert(call, async (alert, { client, ...origin }) => {
      const canChange = await supportsAlertChanges(client);
      const { state } = origin;
      const isTrusted = shownRights.isApproverOrAdmin(call.person, await call.settings());
      return alertModal(alert, {
        ...origin,
        canChange,
        canRestore: await offersOperation(client, 'restoreVolume'),
        mayClear: canChange && isTrusted,
        mayNote: await offersTo(call, 'alerts.note'),
        mayOwn: await offersTo(call, 'alerts.own'),
        mayRelease: isTrusted || state?.owner?.slackUserId === call.person.slackUserId,
      });
    });

  listeners.action(detailsActionId, alertValue, showDetails);

  listeners.action(acknowledgeActionId, alertValue, async (call) => {
    const refusal = await refusalToOwn(call, call.value.alertId);
    if (refusal !== undefined) return { reply: notice(refusal) };
    return changeAndShow(call, { what: 'acknowledge', to: call.person.slackUserId });
  });

  listeners.action(releaseActionId, alertValue, async (call) => {
    const { person, value, teamId } = call;
    const { originId } = await call.service();
    const key = alertKey({ id: value.alertId });
    const owner = (await readAlertStates({ teamId, originId }, [key])).get(key)?.owner;
    const from = owner?.slackUserId ?? person.slackUserId;
    if (from !== person.slackUserId && !isApproverOrAdmin(person, await call.settings())) {
      const reason = refusals.notApproverOrAdmin.id;
      await logRefusal(call, value.alertId, { action: 'alerts.own', reason });
      return { reply: notice(notOwner) };
    }
    return changeAndShow(call, { what: 'release', from });
  });

  listeners.action(assignActionId, alertValue, (call) =>
    openAboutAlert(
      call,
      (alert, { channelId, state }) => assignModal(alert, channelId, state?.owner),
      () => refusalToOwn(call, call.value.alertId),
    ),
  );

  listeners.form(assignForm, {
    async run(call) {
      const { entered, metadata, slack } = call;
      const refusal = await refusalToOwn(call, metadata.alertId);
      if (refusal !== undefined) return notice(refusal);
      const { person: to = '' } = entered;
      const person = await access.readPerson(slack, to);
      if (!mayView(person, await call.settings())) {
        return notice(`${mention(to)} can't use Belay in this workspace. Nothing was changed.`);
      }
      return changeAndTell(call, metadata.alertId, { what: 'assign', to });
    },
  });

  registerSnooze(listeners, {
    clock,
    refuse: refusalToChange('alerts.snooze'),
    openAboutAlert,
    changeAndShow,
    changeAndTell,
  });

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

  registerClearings(listeners, { clearings, clock, refusal: refusalToClear });
}

/** `channelId` is where the answer to a modal about the alert goes. */
type AlertOrigin = {
  client: ServiceClient;
  channelId: string | undefined;
  portalUrl: string | undefined;
  state: AlertState | undefined;
};

const notAllowed =
  "Only approvers and admins can clear alerts, because clearing can't be undone. Nothing was changed. Ask one of them.";
const notOperator =
  'Only operators can change alert notes. Nothing was changed. Ask an admin for the operator role.';
const notOperatorToChange =
  'Only operators can acknowledge, assign or snooze alerts. Nothing was changed. Ask an admin for the operator role.';
const notOwner =
  'Only the owner of an alert, approvers and admins can release it. Nothing was changed.';
const gone = notice(
  'This alert no longer exists. Nothing was changed. Run `/belay alerts` to see the active alerts.',
);
