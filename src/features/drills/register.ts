import type { Clock } from '../../clock.ts';
import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import { isRestoreTarget, readEnvironments } from '../../dataprotection/resources/environments.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { operatorRefusal } from '../../requests/guards.ts';
import { requireAudience } from '../../requests/open-form.ts';
import type {
  ActionInteraction,
  CommandInteraction,
  Interaction,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { type ModalView, noticeModal } from '../../slack/ui/modal.ts';
import { listAndResume } from '../../subscriptions/list-and-resume.ts';
import { requireMayChange } from '../../workspace/call.ts';
import { findAmong } from '../../workspace/choose-connection.ts';
import { offersAction, shownRights } from '../../workspace/permissions.ts';
import { restoreActionId } from '../restores/index.ts';
import type { DrillRuns } from './store/drill-runs.ts';
import type { DrillStore } from './store/drill-store.ts';
import { checkDrill, submitDrill } from './submit-drill.ts';
import { drillForm, drillFormModal, drillTitle } from './views/drill-form.ts';
import {
  drillEndedMessage,
  drillGoneMessage,
  drillListMessage,
  drillReportMessage,
} from './views/drill-messages.ts';
import {
  addDrillActionId,
  drillRef,
  endDrillActionId,
  newDrillActionId,
  newDrillValue,
  type ReportQuery,
  reportPager,
} from './views/ids.ts';

type DrillDependencies = {
  approvals: Approvals;
  drills: DrillStore;
  drillRuns: DrillRuns;
  clock: Clock;
};

const runsPerPage = 10;

/** `/belay drill`: a channel's restore drills, the form that requests one, and what was tested. */
export function registerDrills(
  listeners: Listeners,
  dependencies: DrillDependencies,
): Subcommand[] {
  const { drills, drillRuns, clock } = dependencies;

  async function showReport(call: Interaction, query: ReportQuery): Promise<Message> {
    const { originId } = await call.service();
    const page = { start: query.start, perPage: runsPerPage };
    const found = await drillRuns.list({ teamId: call.teamId, originId }, page);
    return drillReportMessage(query, found, runsPerPage);
  }

  listeners.pages(reportPager, ({ value, ...call }) => showReport(call, value));

  listeners.opens(newDrillActionId, newDrillValue, {
    title: drillTitle,
    waiting: 'Loading the environments…',
    needs: async ({ person, settings }) =>
      operatorRefusal(person, await settings(), addDrillActionId),
    fill: (call) => openForm(call, dependencies.approvals),
  });

  listeners.form(drillForm, {
    check: checkDrill,
    run: (call) => submitDrill(call, dependencies),
  });

  listeners.action(endDrillActionId, drillRef, async (call) => {
    const { teamId, person, value, log } = call;
    const ref = { teamId, channelId: value.channelId, id: value.drillId };
    await requireMayChange(await drills.find(ref), call, {
      kind: 'restore drill',
      gone: drillGoneMessage,
    });
    const ended = await drills.end({ ...ref, by: person.slackUserId, at: clock() });
    if (!ended) return { reply: drillGoneMessage };
    log.info({ drillId: ended.id }, 'a restore drill was ended');
    return { reply: drillEndedMessage };
  });

  return [
    {
      name: 'drill',
      about: 'items',
      usage: 'drill [report]',
      summary: 'Show or request restore drills: regular test restores of the newest backups',
      async run(call) {
        const argument = call.text.trim().toLowerCase();
        return argument === 'report'
          ? showReport(call, { start: 0 })
          : showDrills(call, dependencies);
      },
    },
  ];
}

/** Lists the channel's drills. Paused ones resume if Belay can post in the channel again. */
async function showDrills(
  call: CommandInteraction,
  { drills: store, clock }: DrillDependencies,
): Promise<Message> {
  const { channelId, person } = call;
  const [{ items, resumed }, connections, settings] = await Promise.all([
    listAndResume(call, store, clock),
    call.connections(),
    call.settings(),
  ]);
  return drillListMessage(channelId, items, {
    findConnection: findAmong(connections),
    mayChange: (drill) => shownRights.mayChange(drill, person, settings),
    mayAdd: offersAction(person, settings, addDrillActionId),
    now: clock(),
    resumed,
  });
}

async function openForm(
  { value, ...call }: ActionInteraction<{ channelId?: string | undefined }>,
  approvals: Approvals,
): Promise<ModalView> {
  const { person } = call;
  const { channelId = call.channelId } = value;
  const [{ client }, settings] = await Promise.all([call.service(), call.settings()]);
  const refuse = (why: string) => noticeModal(drillTitle, why);
  if (channelId === undefined) return refuse('Run `/belay drill` in a channel.');
  requireAudience(channelId, settings);
  if (!(await offersOperation(client, 'restoreVolume')))
    return refuse("This service doesn't offer restores.");
  const environments = (await readEnvironments(client)).filter(isRestoreTarget);
  if (environments.length === 0) return refuse('No connected environment can take a restore.');
  // A drill has the rule of a restore.
  const warning = await approvals.warnOfRefusal(call, { action: restoreActionId, required: 1 });
  return drillFormModal(environments, { channelId, timeZone: person.timeZone, warning });
}
