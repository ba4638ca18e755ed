import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '../../../audit-log/entry.ts';
import type { RefusalReason } from '../../../audit-log/registry.ts';
import { undefinedIfGone } from '../../../dataprotection/http/undefined-if-gone.ts';
import { readAlert } from '../../../dataprotection/resources/alerts.ts';
import { thisPlace } from '../../../slack/api/channel.ts';
import {
  type ActionInteraction,
  type ActionResponse,
  type CommandInteraction,
  type Interaction,
  Refusal,
  type SubmissionOf,
} from '../../../slack/interactions/interaction.ts';
import type { Listeners } from '../../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../../slack/ui/blocks.ts';
import {
  type ModalView,
  noticeModal,
  openModal,
  openPendingModal,
} from '../../../slack/ui/modal.ts';
import { stripMarkup, unescapeMrkdwn } from '../../../slack/ui/mrkdwn.ts';
import { findAmong } from '../../../workspace/choose-connection.ts';
import { isAdmin, mayRequest, offersAction } from '../../../workspace/permissions.ts';
import {
  type AlertSearch,
  type AlertValues,
  describeFilter,
  enteredSearch,
  muteActionId,
  newMuteValue,
  parseWithSaved,
  readUntil,
  resolveSearch,
  type SavedFilter,
  withoutListOptions,
} from '../../alerts/index.ts';
import { parseMuteFilter } from '../set-up-watch.ts';
import type { MuteStore } from '../store/mute-store.ts';
import {
  editMuteActionId,
  endMuteActionId,
  heldValue,
  muteValue,
  viewHeldActionId,
} from '../views/ids.ts';
import { checkMute, mutedSeverities, muteForm, muteModal, typedEnd } from '../views/mute-form.ts';
import { type ChannelMutes, heldAlertsMessage, muteListMessage } from '../views/mute-messages.ts';
import type { WatchContext } from '../watch-context.ts';
import { type Mute, maxMutesPerChannel } from './mute.ts';

/** Of the alerts that were held, how many are read from the service and shown. */
const maxShown = 10;
const readMs = 10_000;

/** While a value is looked up in the service, which may take longer than Slack waits for a modal. */
const looking = { title: 'Mute alerts', waiting: 'Looking up the filter…' };

/** `/belay mute`: a channel's mutes, and the form of a new one. */
export function registerMutes(listeners: Listeners, context: WatchContext): Subcommand[] {
  const { mutes, alerts, clock } = context;

  function newForm(
    { teamId, person }: Pick<Interaction, 'teamId' | 'person'>,
    channelId: string,
    {
      search,
      ends = 'tomorrow 9:00',
      isKept,
    }: { search: AlertSearch; ends?: string | undefined; isKept?: boolean },
  ): ModalView {
    const known = alerts.knownValues.read(teamId);
    const { severities = mutedSeverities(known) } = search;
    const metadata = { channelId, timeZone: person.timeZone, isKept };
    return muteModal(metadata, { search: { ...search, severities }, ends }, known);
  }

  /** @throws {Refusal} if it has ended, or the person may not change it */
  async function findMute(call: Interaction, ref: { channelId: string; muteId: string }) {
    const { channelId, muteId: id } = ref;
    const mute = await mutes.find({ teamId: call.teamId, channelId, id });
    if (!mute) throw new Refusal(gone);
    await requireRight(call, { isKept: mute.endsAt === undefined }, context);
    return mute;
  }

  listeners.action(muteActionId, newMuteValue, async (call) => {
    await requireRight(call, { isKept: false }, context);
    const { search, channelId = call.channelId } = call.value;
    if (!channelId) return undefined;
    return { open: newForm(call, channelId, { search: withoutListOptions(search) }) };
  });

  listeners.action(editMuteActionId, muteValue, async (call) => {
    const mute = await findMute(call, call.value);
    const { teamId, person, value } = call;
    const isKept = mute.endsAt === undefined;
    const { timeZone } = person;
    const shown = { search: mute.search, reason: mute.reason, ends: typedEnd(mute, timeZone) };
    const connection = findAmong(await call.connections())(mute.originId);
    const form = muteModal({ ...value, timeZone, isKept }, shown, alerts.knownValues.read(teamId));
    return { open: form, connection };
  });

  listeners.action(endMuteActionId, muteValue, async (call) => {
    const mute = await findMute(call, call.value);
    const { teamId, value } = call;
    const ref = { teamId, channelId: value.channelId, id: mute.id };
    const ended = await mutes.end(ref, entryOf(call, 'mute_ended', mute, clock()));
    return { reply: ended ? notice('Mute ended.') : gone };
  });

  listeners.action(viewHeldActionId, heldValue, (call) => showHeld(call, context), {
    isAnnounced: true,
  });

  listeners.form(muteForm, {
    check: (entered, metadata) => checkMute(entered, metadata, clock()),
    run: (call) => saveMute(call, context),
  });

  async function openTyped(call: CommandInteraction): Promise<Message | undefined> {
    const typed = unescapeMrkdwn(call.text).trim();
    const isKept = /(?:^|\s)keep$/i.test(typed);
    await requireRight(call, { isKept }, context);
    const now = clock();
    const { filter, ends } = splitEnd(typed.replace(/(?:^|\s)keep$/i, ''), (end) =>
      readUntil(end, now, call.person.timeZone),
    );
    const parse = (known: AlertValues, saved: SavedFilter[]) =>
      parseMuteFilter(filter, now, known, saved);
    const formOf = ({ search }: { search: AlertSearch }) =>
      newForm(call, call.channelId, { search, ends, isKept });
    const parsed = await parseWithSaved(call, parse, alerts);
    if ('search' in parsed) await openModal(call, formOf(parsed));
    else if (!parsed.unlisted) return notice(parsed.problem);
    else {
      await openPendingModal(call, looking, async () => {
        const resolved = await resolveSearch(call, parse, alerts);
        return 'search' in resolved
          ? formOf(resolved)
          : noticeModal(looking.title, resolved.problem);
      });
    }
    return undefined;
  }

  return [
    {
      name: 'mute',
      about: 'items',
      usage: 'mute [a filter such as type:policy_violated]',
      summary: 'Mute alerts in this channel. Without a filter: list mutes, to edit or end them',
      details: [
        'A mute holds warnings and notices that watches would post here, until it ends. Then Belay posts a summary. Errors are muted only if you choose them.',
        'A mute needs a reason and an end within 30 days. Admins can add `keep` to the command for a mute without an end.',
      ],
      run: async (call) =>
        call.text.trim() === ''
          ? muteListMessage(await readMutes(call, call.channelId, mutes))
          : openTyped(call),
    },
  ];
}

export async function readMutes(
  call: Interaction,
  channelId: string,
  store: MuteStore,
): Promise<ChannelMutes> {
  const [mutes, connections, settings] = await Promise.all([
    store.list({ teamId: call.teamId, channelId }),
    call.connections(),
    call.settings(),
  ]);
  return {
    channelId,
    mutes,
    held: await store.countHeld(mutes.map(({ id }) => id)),
    findConnection: findAmong(connections),
    mayChange: offersAction(call.person, settings, 'alerts.mute'),
  };
}

/**
 * Takes the end from `policy gold until friday 14:00`. The last such word begins it: a filter can have one
 * too, as in `errors for gold until friday`. What follows `until` is an end in any case, about which the
 * form can ask.
 */
function splitEnd(
  typed: string,
  readEnd: (typed: string) => Date | undefined,
): { filter: string; ends: string | undefined } {
  const [, filter = '', word = '', ends = ''] =
    /^(.*)(?:^|\s)(for|until|till)\s+([^"“”]{1,60})$/i.exec(typed) ?? [];
  const isEnd = /^(?:until|till)$/i.test(word) || readEnd(ends);
  return isEnd ? { filter, ends } : { filter: typed, ends: undefined };
}

/** Adds or changes a mute. */
async function saveMute(
  call: SubmissionOf<typeof muteForm>,
  context: WatchContext,
): Promise<Message | undefined> {
  const { mutes, clock } = context;
  const { teamId, person, entered, metadata } = call;
  const { channelId, muteId: id, isKept = false, timeZone } = metadata;
  await requireRight(call, { isKept }, context);
  const now = clock();
  const search = withoutListOptions(enteredSearch(entered));
  const endsAt = isKept ? undefined : readUntil(entered.ends, now, timeZone);
  // The time has passed since the form was checked.
  if (!isKept && !endsAt)
    return notice('The end of the mute has already passed. Nothing was changed.');
  const fields = { search, reason: entered.reason, endsAt };
  if (id !== undefined) {
    const entry = entryOf(call, 'mute_changed', { channelId, id, ...fields }, now);
    const changed = await mutes.change({ teamId, channelId, id }, fields, entry);
    // The channel has a message about the change.
    if (changed === 'changed') return undefined;
    return changed === 'exists' ? notice(exists(channelId)) : gone;
  }
  const { originId } = await call.service();
  const added = { id: randomUUID(), teamId, originId, channelId, at: now, ...fields };
  const mute = { ...added, createdBy: person.slackUserId };
  const created = await mutes.create(mute, entryOf(call, 'mute_added', mute, now));
  if (created.result === 'created') return undefined;
  return notice(created.result === 'exists' ? exists(channelId) : tooMany);
}

/** The button may be in a list about several connections; what it shows is about the one of the alerts. */
async function showHeld(
  { value, ...call }: ActionInteraction<ReturnType<typeof heldValue.parse>>,
  { mutes }: WatchContext,
): Promise<ActionResponse> {
  const { teamId } = call;
  const { channelId } = value;
  const { keys, count, originId } = await mutes.listHeld({ teamId, ...value }, maxShown);
  if (originId === undefined) return { reply: heldAlertsMessage([], { count, channelId }) };
  const { client } = await call.service({ originId });
  const signal = AbortSignal.timeout(readMs);
  // Of an id that doesn't fit an index, only the hash is stored.
  const ids = keys.filter((key) => !key.startsWith('sha256:'));
  const alerts = await Promise.all(
    ids.map((alertId) => undefinedIfGone(readAlert(client, alertId, { signal }))),
  );
  const found = alerts.filter((alert) => alert !== undefined);
  const connection = findAmong(await call.connections())(originId);
  return { reply: heldAlertsMessage(found, { count, channelId }), connection };
}

/**
 * Operators may mute alerts; a mute without an end is for admins. Attempts of others are logged.
 * @throws {Refusal}
 */
async function requireRight(
  { teamId, person, settings }: Interaction,
  { isKept }: { isKept: boolean },
  { alerts, clock }: WatchContext,
): Promise<void> {
  const isAllowed = isKept ? isAdmin(person) : mayRequest(person, await settings());
  if (isAllowed) return;
  const reason: RefusalReason = isKept ? 'not_admin' : 'not_operator';
  await alerts.store.log({
    teamId,
    at: clock(),
    event: 'refused',
    actor: person.slackUserId,
    action: 'alerts.mute',
    facts: { reason },
  });
  throw new Refusal(notice(isKept ? onlyAdmins : onlyOperators));
}

function entryOf(
  { teamId, person }: Pick<Interaction, 'teamId' | 'person'>,
  event: 'mute_added' | 'mute_changed' | 'mute_ended',
  {
    id,
    channelId,
    search,
    reason,
    endsAt,
  }: Pick<Mute, 'id' | 'channelId' | 'search' | 'reason' | 'endsAt'>,
  at: Date,
): AuditEntry & { actor: string } {
  return {
    teamId,
    at,
    event,
    actor: person.slackUserId,
    action: 'alerts.mute',
    facts: { mute: id, channel: channelId, ...(endsAt && { until: endsAt.toISOString() }) },
    personal: { subject: stripMarkup(describeFilter(search)), reason },
  };
}

const onlyOperators =
  'Only operators can mute alerts. Nothing was changed. Ask an admin for the operator role.';
const onlyAdmins = 'Only admins can add, change and end mutes without an end. Nothing was changed.';
const gone = notice('This mute has already ended. Nothing was changed.');
const exists = (channelId: string) =>
  `These alerts are already muted in ${thisPlace(channelId)}. Nothing was changed. To change or end the mute, run \`/belay mute\`.`;
const tooMany = `A channel can have at most ${maxMutesPerChannel} mutes. No mute was added. To end one, run \`/belay mute\`.`;
