import type { CommandInteraction, Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { answerOn } from '../../slack/ui/answer-connection.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { fillModal } from '../../slack/ui/modal.ts';
import { requireMayChange } from '../../workspace/call.ts';
import { findAmong } from '../../workspace/choose-connection.ts';
import {
  enteredSearch,
  searchValue,
  showAlerts,
  watchActionId,
  withoutListOptions,
} from '../alerts/index.ts';
import { listChoices } from '../setup/index.ts';
import { parseComplianceWatch } from './compliance/compliance-watch.ts';
import {
  addComplianceWatch,
  registerComplianceWatches,
} from './compliance/register-compliance-watches.ts';
import { endWatch } from './end-watch.ts';
import { findOverlaps } from './find-overlaps.ts';
import { registerMutes } from './mutes/register-mutes.ts';
import { addPolicyWatch, registerPolicyWatches } from './policies/register-policy-watches.ts';
import { readQuietHours } from './quiet-hours.ts';
import { setUpTypedWatch, setUpWatch } from './set-up-watch.ts';
import { showWatches } from './show-watches.ts';
import {
  editActionId,
  endActionId,
  shownWatch,
  shownWatchValue,
  viewActionId,
  watchValue,
} from './views/ids.ts';
import {
  checkWatch,
  createForm,
  editForm,
  editPending,
  editWatchModal,
  enteredReminder,
  newWatchModal,
  newWatchPending,
} from './views/watch-modals.ts';
import {
  formatDuplicate,
  formatOverlaps,
  formatWatch,
  goneMessage,
} from './views/watch-notices.ts';
import type { Watch } from './watch.ts';
import type { WatchContext } from './watch-context.ts';

/** `/belay watch`: new alerts in a channel, as they come. */
export function registerWatches(listeners: Listeners, context: WatchContext): Subcommand[] {
  const { store, alerts, clock } = context;
  registerComplianceWatches(listeners, context);
  registerPolicyWatches(listeners, context);
  const muting = registerMutes(listeners, context);

  /** @throws Refusal if the watch has ended, or the caller may not change it */
  async function findChangeable(call: Interaction, id: string): Promise<Watch> {
    const watch = await store.find({ teamId: call.teamId, id });
    return requireMayChange(watch, call, { kind: 'watch', gone: goneMessage });
  }

  listeners.action(watchActionId, searchValue, async (call) => {
    const { value, teamId, channelId, person } = call;
    if (!channelId) return undefined;
    const { timeZone } = person;
    await fillModal(call, newWatchPending, async () => {
      const groups = await listChoices([], call.slack, call.log);
      const choices = { known: alerts.knownValues.read(teamId), groups };
      return newWatchModal(withoutListOptions(value.search), { channelId, timeZone }, choices);
    });
    return undefined;
  });

  listeners.form(createForm, {
    check: checkWatch,
    run({ entered, metadata, ...call }) {
      const search = withoutListOptions(enteredSearch(entered));
      const quietHours = readQuietHours(entered.quietHours, call.person.timeZone);
      const { channelId } = metadata;
      const reminder = enteredReminder(entered, metadata);
      return setUpWatch({ ...call, channelId }, { search, quietHours, reminder }, context);
    },
  });

  listeners.action(editActionId, watchValue, async (call) => {
    const watch = await findChangeable(call, call.value.watchId);
    const connection = findAmong(await call.connections())(watch.originId);
    const { channelId } = call;
    const { timeZone } = call.person;
    await fillModal({ ...call, connection }, editPending, async () => {
      const named = watch.reminder?.group ? [watch.reminder.group] : [];
      const groups = await listChoices(named, call.slack, call.log);
      const choices = { known: alerts.knownValues.read(call.teamId), groups };
      return editWatchModal(watch, { channelId, timeZone }, choices);
    });
    return undefined;
  });

  listeners.form(editForm, {
    check: checkWatch,
    async run({ metadata, entered, ...call }) {
      const { teamId, person } = call;
      const before = await findChangeable(call, metadata.watchId);
      const search = withoutListOptions(enteredSearch(entered));
      const zone = before.quietHours?.timeZone ?? person.timeZone;
      const quietHours = readQuietHours(entered.quietHours, zone);
      const { hasGroups } = metadata;
      const reminder = enteredReminder(entered, { hasGroups, before: before.reminder });
      const at = clock();
      const change = { teamId, id: metadata.watchId, by: person.slackUserId, at };
      const changed = await store.change({ ...change, search, quietHours, reminder });
      if (!changed) return goneMessage;
      const { result, watch } = changed;
      if (result === 'duplicate')
        return notice(
          `${formatDuplicate(watch, formatWatch(watch.search, at))} Nothing was changed.`,
        );
      // The channel has a message about the change.
      const overlaps = formatOverlaps(findOverlaps(watch, await store.list(watch)), at);
      if (overlaps.length === 0) return undefined;
      return notice(['Watch changed.', ...overlaps].join('\n'));
    },
  });

  listeners.action(endActionId, shownWatchValue, async ({ value, ...call }) => {
    const watch = await findChangeable(call, value.watchId);
    if (shownWatch(watch).changedAt !== value.changedAt) return { reply: changedSince };
    return endWatch(call, watch, store, clock());
  });

  listeners.action(
    viewActionId,
    watchValue,
    async ({ value, teamId, person, settings, service, connections }) => {
      const watch = await store.find({ teamId, id: value.watchId });
      if (!watch) return { reply: nothingToView };
      const connection = findAmong(await connections())(watch.originId);
      const open = () => service({ originId: watch.originId });
      const of = { teamId, person, settings, service: open };
      const answer = await showAlerts(of, { search: watch.search }, alerts);
      return { reply: answer, connection };
    },
    { isAnnounced: true },
  );

  /** Adds the watch that is typed. Returns the answer, which is about the connection of the watch. */
  async function addWatch(call: CommandInteraction, isOfPolicies: boolean): Promise<Message> {
    if (isOfPolicies) return addPolicyWatch(call, context);
    const ofPolicy = parseComplianceWatch(call.text);
    if (!ofPolicy) return setUpTypedWatch(call, context);
    return 'problem' in ofPolicy
      ? notice(ofPolicy.problem)
      : addComplianceWatch(call, ofPolicy, context);
  }

  return [
    {
      name: 'watch',
      about: 'items',
      usage:
        'watch [all, policies, a filter such as severity:error, or compliance <policy> above <number>]',
      summary: 'Post new alerts in this channel. Without a filter: show, edit and end watches',
      details: [
        'Filters: `severity:`, `type:`, `policy:` and any text. See `/belay help alerts`',
        '`compliance Gold above 3` posts a message when more than 3 volumes of the policy are noncompliant',
        '`policies` posts changes to policies that were made outside Belay',
      ],
      async run(call) {
        const typed = call.text.trim().toLowerCase();
        if (typed === '') return showWatches(call, context);
        const connection = call.connection && { ...call.connection, isNamed: true };
        return answerOn(await addWatch(call, typed === 'policies'), connection);
      },
    },
    ...muting,
  ];
}

const changedSince = notice(
  "This watch was changed after the list was shown, so it wasn't ended. To see its current filter, run `/belay watch`.",
);
const nothingToView = notice(
  'This watch has ended. To see all active alerts, run `/belay alerts`.',
);
