import type { Clock } from '../../clock.ts';
import { type Alert, readAlert } from '../../dataprotection/alerts.ts';
import { NotFoundError } from '../../dataprotection/errors.ts';
import { type Message, notice } from '../../slack/blocks.ts';
import type { Call } from '../../slack/call.ts';
import type { Listeners } from '../../slack/listeners.ts';
import { fillModal } from '../../slack/modal.ts';
import { type ChangeRights, isApproverOrAdmin } from '../approvals/approvals.ts';
import { notConnected, type OpenService, type Service } from '../workspaces/workspaces.ts';
import { alertModal, alertModalTitle, vanishedAlertModal } from './alert-modal.ts';
import { alertValue } from './alert-values.ts';
import { clear, type LogAlertChange, note } from './change-alerts.ts';
import { type ChangeOutcome, changeMessage } from './change-message.ts';
import { clearModal } from './clear-modal.ts';
import {
  clearActionId,
  clearCallbackId,
  detailsActionId,
  noteActionId,
  noteCallbackId,
} from './ids.ts';
import { noteBlockId, noteMetadata, noteModal } from './note-modal.ts';
import { offersChange } from './offers-change.ts';

/** What somebody did to an alert through Belay; `by` is a Slack user id. */
export type Deed = { by: string; what: 'noted' | 'cleared' };

/** An alert as the service has just given it to somebody who looked at it or changed it in Belay. */
export type ShownAlert = {
  teamId: string;
  connectionId: string;
  alert: Alert;
  /** If they changed it. */
  deed?: Deed | undefined;
};

export type AlertChanging = ChangeRights & {
  logAlertChange: LogAlertChange;
  /** Given an alert as it is now, for others to see it too. Must neither throw nor take long. */
  showChange: (shown: ShownAlert) => void;
};

type Dependencies = {
  openService: OpenService;
  clock: Clock;
  changing: AlertChanging;
};

const pending = { title: alertModalTitle, waiting: 'Asking the data-protection service…' };

/** After any other outcome the alert is as somebody else left it. */
const deeds: { [result in ChangeOutcome['result']]?: Deed['what'] } = {
  cleared: 'cleared',
  noted: 'noted',
  'note-removed': 'noted',
};

/** The details of an alert, and from there its note, for anybody, and its clearing, for some. */
export function registerAlertChanges(
  listeners: Listeners,
  { openService, clock, changing }: Dependencies,
): void {
  /** Nobody can take a clear back, so it is for those who decide, and for admins. */
  const mayClear = ({ teamId, person }: Call) => isApproverOrAdmin(teamId, person, changing);

  async function refuseToClear({ teamId, person }: Call, alertId: string): Promise<Message> {
    await changing.logAlertChange({
      ...{ teamId, at: clock(), event: 'refused', actor: person.slackUserId },
      ...{ action: 'alerts.clear', subjectId: alertId },
      facts: { alertId, reason: 'not_approver' },
    });
    return notForYou;
  }

  async function change(
    { teamId, person }: Call,
    alertId: string,
    act: (wish: Parameters<typeof clear>[0]) => Promise<ChangeOutcome>,
  ): Promise<Message> {
    const service = await openService(teamId);
    if (!service) return notConnected;
    const wish = { client: service.client, alertId, teamId, actor: person.slackUserId };
    try {
      const outcome = await act({ ...wish, now: clock, log: changing.logAlertChange });
      const { connectionId } = service;
      // An unconfirmed one is as it was before, if anything is known of it at all.
      if (outcome.result !== 'unconfirmed') {
        const what = deeds[outcome.result];
        const deed = what && { by: person.slackUserId, what };
        changing.showChange({ teamId, connectionId, alert: outcome.alert, deed });
      }
      return changeMessage(outcome);
    } catch (error) {
      if (error instanceof NotFoundError) return gone;
      throw error;
    }
  }

  /** Undefined when it is gone. A note that was set elsewhere is found out here, and nowhere else. */
  async function readToShow(
    teamId: string,
    { client, connectionId }: Service,
    alertId: string,
  ): Promise<Alert | undefined> {
    const alert = await existing(readAlert(client, alertId));
    if (alert) changing.showChange({ teamId, connectionId, alert });
    return alert;
  }

  listeners.action(detailsActionId, alertValue, async (call) => {
    const { value, teamId } = call;
    const service = await openService(teamId);
    if (!service) return { reply: notConnected };
    const { client } = service;
    const { alertId, channelId = call.channelId } = value;
    await fillModal(call, pending, async () => {
      const alert = await readToShow(teamId, service, alertId);
      if (!alert) return vanishedAlertModal(alertId);
      const canChange = await offersChange(client);
      const allowed = canChange && (await mayClear(call));
      return alertModal(alert, { channelId, canChange, mayClear: allowed });
    });
    return undefined;
  });

  listeners.action(noteActionId, alertValue, async (call) => {
    const { value, teamId } = call;
    const service = await openService(teamId);
    if (!service) return { reply: notConnected };
    const { alertId, channelId = call.channelId } = value;
    await fillModal(call, pending, async () => {
      const alert = await readToShow(teamId, service, alertId);
      return alert ? noteModal(alert, channelId) : vanishedAlertModal(alertId);
    });
    return undefined;
  });

  listeners.action(clearActionId, alertValue, async (call) => {
    const { value, teamId } = call;
    const service = await openService(teamId);
    if (!service) return { reply: notConnected };
    const { alertId, channelId = call.channelId } = value;
    if (!(await mayClear(call))) return { reply: await refuseToClear(call, alertId) };
    await fillModal(call, pending, async () => {
      const alert = await readToShow(teamId, service, alertId);
      return alert ? clearModal(alert, channelId) : vanishedAlertModal(alertId);
    });
    return undefined;
  });

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
      if (!(await mayClear(call))) return refuseToClear(call, alertId);
      return change(call, alertId, clear);
    },
  });
}

async function existing<Found>(reading: Promise<Found>): Promise<Found | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

const notForYou = notice(
  'Clearing an alert cannot be undone, so it is for approvers and for admins of this workspace. Nothing was changed. Please ask one of them.',
);
const gone = notice(
  'This alert no longer exists in the service. Nothing was changed. Run `/belay alerts` to see those that do.',
);
