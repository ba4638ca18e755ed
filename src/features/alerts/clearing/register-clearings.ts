import { randomUUID } from 'node:crypto';
import { offersOperation } from '../../../dataprotection/dialects/find-operation.ts';
import { canPost } from '../../../slack/api/channel.ts';
import type { ActionInteraction } from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import { notice } from '../../../slack/ui/blocks.ts';
import { fillModal, type ModalView } from '../../../slack/ui/modal.ts';
import type { AlertContext } from '../alert-context.ts';
import type { AlertSearch } from '../alert-search.ts';
import { readMatching } from '../read-matching.ts';
import { refuseChange } from '../refuse-change.ts';
import {
  clearAllForm,
  clearAllModal,
  clearAllProblemModal,
  clearAllTitle,
  describeClearAllProblem,
} from '../views/clearing-modal.ts';
import { clearAllActionId, searchValue } from '../views/ids.ts';

/** Longer than a list may take: here all alerts must be read. */
const readMs = 20_000;
const maxServicePages = 500;

const pending = { title: clearAllTitle, waiting: 'Reading the alerts that match…' };

/** *Clear all…* of a list: clears exactly the alerts that its form counted. */
export function registerClearings(listeners: Listeners, context: AlertContext): void {
  const { clearings, clock } = context;

  /** Stores the alerts that match now, and shows them. */
  async function propose(call: ActionInteraction<{ search: AlertSearch }>): Promise<ModalView> {
    const { teamId, person, channelId } = call;
    const { client, connectionId, originId } = await call.service();
    if (!(await offersOperation(client, 'updateAlert'))) return clearAllProblemModal('unsupported');
    const search: AlertSearch = { ...call.value.search, status: 'active' };
    const now = clock();
    const signal = AbortSignal.timeout(readMs);
    const found = await readMatching(client, search, { now, signal, maxServicePages });
    if (!found.isComplete) return clearAllProblemModal('incomplete');
    const alerts = [...new Map(found.matched.map((alert) => [alert.id, alert])).values()];
    const { maxAlertsCleared: max } = await call.settings();
    if (alerts.length === 0) return clearAllProblemModal('none');
    if (alerts.length > max) return clearAllProblemModal({ count: alerts.length, max });
    const id = randomUUID();
    const by = person.slackUserId;
    await clearings.propose(
      { id, teamId, connectionId, originId, search, createdBy: by },
      { alertIds: alerts.map((alert) => alert.id), at: now },
    );
    return clearAllModal(alerts, search, { clearingId: id, channelId, now });
  }

  listeners.action(clearAllActionId, searchValue, async (call) => {
    const refused = await refuseChange(call, 'clear', context);
    if (refused) return { reply: refused };
    await fillModal(call, pending, () => propose(call));
    return undefined;
  });

  listeners.form(clearAllForm, {
    async run(call) {
      const { teamId, person, slack, entered, metadata } = call;
      // Checked again, because the person may have lost the right since the form was opened.
      const refused = await refuseChange(call, 'clear', context);
      if (refused) return refused;
      const ref = { id: metadata.clearingId, teamId, createdBy: person.slackUserId };
      const count = await clearings.count(ref);
      if (count === undefined) return tooLate;
      const { maxAlertsCleared: max } = await call.settings();
      if (count > max) return notice(describeClearAllProblem({ count, max }));
      const { channelId } = metadata;
      const isPosted = channelId !== undefined && (await canPost({ slack, person, channelId }));
      const to = isPosted ? channelId : person.slackUserId;
      const note = entered.note || undefined;
      const confirmation = { ...ref, channelId: to, note, at: clock() };
      if (!(await clearings.confirm(confirmation))) return tooLate;
      return isPosted ? undefined : sentDirectly;
    },
  });
}

const tooLate = notice(
  'This form was already submitted, or is older than an hour. To see the active alerts, run `/belay alerts`.',
);
const sentDirectly = notice(
  "Belay can't post here, so it sends you a direct message about the progress.",
);
