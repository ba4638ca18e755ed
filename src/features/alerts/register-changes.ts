import type { ServiceClient } from '../../dataprotection/client.ts';
import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import type { Alert } from '../../dataprotection/resources/alerts.ts';
import { addDays } from '../../dates.ts';
import type {
  ActionInteraction,
  ActionResponse,
  Interaction,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal, type ModalView } from '../../slack/ui/modal.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { offersTo } from '../../workspace/call.ts';
import { mayView, shownRights } from '../../workspace/permissions.ts';
import type { AlertContext } from './alert-context.ts';
import { changeAlert, clear, note } from './change-alerts.ts';
import { changeAlertState, readOrForget } from './change-state.ts';
import { readUntil } from './read-until.ts';
import { type AlertRight, refuseChange } from './refuse-change.ts';
import type { AlertState, AlertStateChange } from './store/alert-states.ts';
import { alertGoneModal, alertModal, alertModalTitle } from './views/alert-modal.ts';
import { changeMessage } from './views/change-message.ts';
import {
  assignForm,
  assignModal,
  clearForm,
  clearModal,
  maxSnoozeDays,
  noteForm,
  noteModal,
  snoozeForm,
  snoozeModal,
} from './views/change-modals.ts';
import {
  type AlertValue,
  acknowledgeActionId,
  alertValue,
  assignActionId,
  clearActionId,
  detailsActionId,
  endSnoozeActionId,
  noteActionId,
  releaseActionId,
  snoozeActionId,
  snoozeValue,
} from './views/ids.ts';
import { stateMessage } from './views/state-messages.ts';

const pending = { title: alertModalTitle, waiting: 'Loading the alert…' };
const snoozeTimes = { '1h': '1h', tomorrow: 'tomorrow 9:00' };

/**
 * The details of an alert, for viewers; its owner, snooze and note, for operators; clearing it, for
 * approvers and admins. Rights are checked again when a form is submitted: the person may have lost them.
 */
export function registerAlertChanges(listeners: Listeners, context: AlertContext): void {
  const { store, access, reportAlert, clock } = context;
  const refuse = (call: Interaction, right: AlertRight, alertId: string) =>
    refuseChange(call, right, context, alertId);

  async function change(
    { teamId, person, service }: Interaction,
    alertId: string,
    run: Parameters<typeof changeAlert>[1],
  ): Promise<Message> {
    const { client, connectionId } = await service();
    const input = { client, connectionId, teamId, alertId, actor: person.slackUserId, now: clock };
    const outcome = await changeAlert({ ...input, log: store.log, report: reportAlert }, run);
    return outcome ? changeMessage(outcome) : gone;
  }

  /** Opens a modal at once and fills it with the alert as it is now, unless the person lacks the right. */
  async function openAboutAlert(
    call: ActionInteraction<AlertValue>,
    right: AlertRight | undefined,
    render: (alert: Alert, origin: AlertOrigin) => ModalView | Promise<ModalView>,
  ): Promise<ActionResponse | undefined> {
    const { teamId, value } = call;
    const { alertId, channelId = call.channelId } = value;
    const { client, connectionId, originId, portalUrl } = await call.service();
    const refused = right && (await refuse(call, right, alertId));
    if (refused) return { reply: refused };
    await fillModal(call, pending, async () => {
      const of = { teamId, originId };
      const alert = (await readOrForget(client, alertId, of, context))?.alert;
      if (!alert) return alertGoneModal(alertId);
      // A note that was set in the portal need not count as an update, so a poll may never see it.
      reportAlert({ teamId, connectionId, alert });
      const state = await store.readState(of, alertId);
      return render(alert, { client, channelId, portalUrl, state });
    });
    return undefined;
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
    const outcome = await changeAlertState(call, { title, ...value }, stateChange, context);
    if (viewId !== undefined && outcome?.alert) return showDetails(call);
    return { reply: outcome ? stateMessage(outcome, person.slackUserId) : gone };
  }

  async function changeAndTell(
    call: Interaction,
    alertId: string,
    stateChange: AlertStateChange,
  ): Promise<Message> {
    const outcome = await changeAlertState(call, { alertId }, stateChange, context);
    return outcome ? stateMessage(outcome, call.person.slackUserId) : gone;
  }

  const showDetails = (call: ActionInteraction<AlertValue>) =>
    openAboutAlert(call, undefined, async (alert, { client, ...origin }) => {
      const canChange = await offersOperation(client, 'updateAlert');
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
    const refused = await refuse(call, 'own', call.value.alertId);
    if (refused) return { reply: refused };
    return changeAndShow(call, { what: 'acknowledge', to: call.person.slackUserId });
  });

  listeners.action(releaseActionId, alertValue, async (call) => {
    const { person, value, teamId } = call;
    const { originId } = await call.service();
    const state = await store.readState({ teamId, originId }, value.alertId);
    const from = state?.owner?.slackUserId ?? person.slackUserId;
    const isOwn = from === person.slackUserId;
    const refused = isOwn ? undefined : await refuse(call, 'release', value.alertId);
    return refused ? { reply: refused } : changeAndShow(call, { what: 'release', from });
  });

  listeners.action(assignActionId, alertValue, (call) =>
    openAboutAlert(call, 'own', (alert, { channelId, state }) =>
      assignModal(alert, channelId, state?.owner),
    ),
  );

  listeners.form(assignForm, {
    async run(call) {
      const { entered, metadata, slack } = call;
      const refused = await refuse(call, 'own', metadata.alertId);
      if (refused) return refused;
      const { person: to = '' } = entered;
      const person = await access.readPerson(slack, to);
      if (!mayView(person, await call.settings())) {
        return notice(`${mention(to)} can't use Belay in this workspace. Nothing was changed.`);
      }
      return changeAndTell(call, metadata.alertId, { what: 'assign', to });
    },
  });

  listeners.action(snoozeActionId, snoozeValue, async (call) => {
    const { value, person } = call;
    const until = value.until && readUntil(snoozeTimes[value.until], clock(), person.timeZone);
    if (!until) {
      return openAboutAlert(call, 'snooze', (alert, { channelId }) =>
        snoozeModal(alert, channelId, person.timeZone),
      );
    }
    const refused = await refuse(call, 'snooze', value.alertId);
    if (refused) return { reply: refused };
    return changeAndShow(call, { what: 'snooze', by: person.slackUserId, until });
  });

  const readSnooze = (text: string, timeZone: string | undefined) => {
    const now = clock();
    const until = readUntil(text, now, timeZone);
    return until && until <= addDays(now, maxSnoozeDays) ? until : undefined;
  };

  listeners.form(snoozeForm, {
    check: ({ until }, { timeZone }) => ({
      until: readSnooze(until, timeZone) ? undefined : unreadable,
    }),
    async run(call) {
      const { alertId, timeZone } = call.metadata;
      const refused = await refuse(call, 'snooze', alertId);
      if (refused) return refused;
      const until = readSnooze(call.entered.until, timeZone);
      if (!until) return notice(`${unreadable} Nothing was changed.`);
      return changeAndTell(call, alertId, { what: 'snooze', by: call.person.slackUserId, until });
    },
  });

  listeners.action(endSnoozeActionId, snoozeValue, async (call) => {
    const refused = await refuse(call, 'snooze', call.value.alertId);
    return refused ? { reply: refused } : changeAndShow(call, { what: 'end-snooze' });
  });

  listeners.action(noteActionId, alertValue, (call) =>
    openAboutAlert(call, 'note', (alert, { channelId }) => noteModal(alert, channelId)),
  );

  listeners.action(clearActionId, alertValue, (call) =>
    openAboutAlert(call, 'clear', (alert, { channelId }) => clearModal(alert, channelId)),
  );

  listeners.form(noteForm, {
    async run(call) {
      const { alertId, notesHash: shownNotesHash } = call.metadata;
      const refused = await refuse(call, 'note', alertId);
      if (refused) return refused;
      const text = call.entered.note;
      return change(call, alertId, (input) => note({ ...input, text, shownNotesHash }));
    },
  });

  listeners.form(clearForm, {
    async run(call) {
      const { alertId } = call.metadata;
      return (await refuse(call, 'clear', alertId)) ?? change(call, alertId, clear);
    },
  });
}

/** `channelId` is where the answer to a modal about the alert goes. */
type AlertOrigin = {
  client: ServiceClient;
  channelId: string | undefined;
  portalUrl: string | undefined;
  state: AlertState | undefined;
};

const unreadable = `Enter a time within the next ${maxSnoozeDays} days, such as 3h, tomorrow or friday 14:00.`;
const gone = notice(
  'This alert no longer exists. Nothing was changed. Run `/belay alerts` to see the active alerts.',
);
