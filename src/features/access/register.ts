import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Person } from '../../slack/api/person.ts';
import {
  type CommandInteraction,
  type Interaction,
  MissingRight,
  type SubmissionOf,
} from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import type { VerificationResult } from '../../slack/interactions/verified-submission.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { mention, mentionedUser } from '../../slack/ui/mrkdwn.ts';
import type { StandInStore } from '../../workspace/access/store/stand-in-store.ts';
import { isAdmin, shownRights } from '../../workspace/permissions.ts';
import { type NameDependencies, nameStandIn, requireApprover } from './name-stand-in.ts';
import { readLastDay } from './resolve-until.ts';
import {
  endStandInActionId,
  openStandInActionId,
  standInEndedMessage,
  standInMessage,
  standInNamedAnswer,
} from './views/stand-in-messages.ts';
import { standInForm, standInModal, standInNotice } from './views/stand-in-modal.ts';

/** `/belay away`: who decides for an approver who is away. */
export function registerStandIns(
  listeners: Listeners,
  dependencies: NameDependencies,
): Subcommand[] {
  const { store, clock } = dependencies;

  async function show(call: Interaction): Promise<Message> {
    const { teamId, person } = call;
    const [all, settings] = await Promise.all([store.list(teamId, clock()), call.settings()]);
    const { slackUserId } = person;
    return standInMessage({
      own: all.find(({ approver }) => approver === slackUserId),
      others: all.filter(({ standIn }) => standIn === slackUserId),
      mayName: shownRights.isApprover(person, settings),
    });
  }

  async function nameTyped(call: CommandInteraction): Promise<Message> {
    const [typed = '', word = '', ...rest] = call.text.trim().split(/\s+/);
    const standIn = mentionedUser(typed);
    const day = word.toLowerCase() === 'until' ? rest.join(' ') : [word, ...rest].join(' ');
    const date = readLastDay(day, clock(), call.person.timeZone);
    if (standIn === undefined || date === undefined) return usage;
    const named = await nameStandIn(call, { standIn, date }, dependencies);
    return notice('why' in named ? `${named.why} Nothing was changed.` : standInNamedAnswer(named));
  }

  async function submit(call: SubmissionOf<typeof standInForm>): Promise<VerificationResult> {
    const { entered, metadata } = call;
    const { person: standIn = '', until: date = '' } = entered;
    const named = await nameStandIn(call, { standIn, date }, dependencies);
    if (!('why' in named)) return { done: standInNotice(standInNamedAnswer(named)) };
    const { field, why } = named;
    return { errors: { [field]: why }, retry: standInModal(entered, metadata.channelId) };
  }

  listeners.action(openStandInActionId, z.object({}), async (call) => {
    const { person, teamId, channelId } = call;
    requireApprover(person, await call.settings());
    const own = (await store.list(teamId, clock())).find(
      ({ approver }) => approver === person.slackUserId,
    );
    return { open: standInModal({ person: own?.standIn }, channelId) };
  });

  listeners.action(endStandInActionId, z.object({ approver: z.string() }), async (call) => ({
    reply: await endStandIn({ ...call, approver: call.value.approver }, dependencies),
  }));

  listeners.form(standInForm, {
    pending: standInNotice('Checking… Nothing has been saved yet.'),
    verify: submit,
  });

  return [
    {
      name: 'away',
      about: 'workspace',
      usage: 'away [@person until <date>]',
      summary: 'Name a stand-in who decides requests for you while you are away',
      details: [
        '`/belay away` shows your stand-in, and who you stand in for.',
        '`/belay away @ben until 2026-12-01` names one. `friday`, `10d` and `2w` work too. The last day is included.',
        '`/belay away off` ends your stand-in.',
      ],
      isListedFor: async ({ person, settings }) => shownRights.isApprover(person, await settings()),
      async run(call) {
        const text = call.text.trim().toLowerCase();
        if (text === '') return show(call);
        if (text !== 'off') return nameTyped(call);
        return endStandIn({ ...call, approver: call.person.slackUserId }, dependencies);
      },
    },
  ];
}

const usage = notice(
  'Who, and until when? `/belay away @ben until 2026-12-01`. `friday`, `10d` and `2w` work too. Nothing was changed.',
);

/** Ends the stand-in of an approver: by the approver, or by an admin. Resolves to the reply. */
async function endStandIn(
  { teamId, person, approver }: { teamId: string; person: Person; approver: string },
  { store, clock }: { store: Pick<StandInStore, 'end'>; clock: Clock },
): Promise<Message> {
  const by = person.slackUserId;
  if (approver !== by && !isAdmin(person)) throw new MissingRight(notAllowed, '/belay away');
  const ended = await store.end({
    teamId,
    approver,
    by,
    at: clock(),
    notices: (one) =>
      [one.standIn, one.approver]
        .filter((to) => to !== by)
        .map((to) => ({ to, message: standInEndedMessage(one, by) })),
  });
  if (!ended) return approver === by ? noneOfYours : noneOfTheirs;
  return notice(`${mention(ended.standIn)} no longer stands in for ${mention(ended.approver)}.`);
}

const notAllowed = notice('Only the approver and admins can end a stand-in. Nothing was changed.');
const noneOfYours = notice('You have no stand-in. Run `/belay away` to name one.');
const noneOfTheirs = notice('This stand-in has already ended.');
