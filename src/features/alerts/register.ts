import { offersOperation } from '../../dataprotection/dialects/find-operation.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { shownRights } from '../../workspace/permissions.ts';
import type { AlertContext } from './alert-context.ts';
import { alertKey } from './alert-key.ts';
import { type AlertSearch, lastLook, parseAlertSearch } from './alert-search.ts';
import { registerClearings } from './clearing/register-clearings.ts';
import { type AlertQuery, findAlerts } from './find-alerts.ts';
import { builtInValues } from './known-values.ts';
import { registerAlertChanges } from './register-changes.ts';
import { resolveSearch } from './resolve-search.ts';
import { nameProblem, readTypedSave } from './saved/filter-name.ts';
import { registerSavedFilters, saveFilter, showSavedFilters } from './saved/register-saved.ts';
import type { AlertStore } from './store/alert-store.ts';
import { alertListMessage } from './views/alert-list-message.ts';
import {
  checkFilter,
  enteredSearch,
  filterForm,
  filterModal,
  saveForChannel,
} from './views/filter-form.ts';
import { alertPager, filterActionId, searchValue, viewActionId } from './views/ids.ts';
import { formatUsed } from './views/saved-filter-messages.ts';

/** `/belay alerts`: the list, its pages and its filter modal, and the details of an alert. */
export function registerAlerts(listeners: Listeners, context: AlertContext): Subcommand[] {
  const { store, knownValues, savedFilters, isCommandWord, clock } = context;
  const show = (call: Interaction, query: AlertQuery, notes?: string[]) =>
    showAlerts(call, query, context, notes);
  /** A list that was asked for, not turned to: its time begins at the person's last look. */
  async function list(call: Interaction, search: AlertSearch, notes?: string[]): Promise<Message> {
    return show(call, { search: await fillLastLook(call, search, store) }, notes);
  }
  registerSavedFilters(listeners, savedFilters, list);

  listeners.pages(alertPager, ({ value, ...call }) => show(call, value));

  listeners.action(
    viewActionId,
    searchValue,
    async ({ value, ...call }) => ({ reply: await show(call, value) }),
    { isAnnounced: true },
  );

  listeners.action(filterActionId, searchValue, async (call) => {
    const { value, teamId, channelId } = call;
    return { open: filterModal(value.search, knownValues.read(teamId), channelId) };
  });

  listeners.form(filterForm, {
    check: (entered, { search }) => ({
      ...checkFilter(entered, search),
      saveAs: entered.saveAs && nameProblem(entered.saveAs, builtInValues, isCommandWord),
    }),
    async run({ metadata, entered, ...call }) {
      const search = enteredSearch(entered, metadata.search);
      const { saveAs: name, saveFor } = entered;
      const forChannel = saveFor === saveForChannel ? metadata.channelId : undefined;
      const notes = name ? [await saveFilter(call, { name, search, forChannel }, context)] : [];
      // A list since the last look that is filtered again is no new look.
      return metadata.search.since === lastLook
        ? show(call, { search }, notes)
        : list(call, search, notes);
    },
  });

  registerAlertChanges(listeners, context);
  registerClearings(listeners, context);

  return [
    {
      name: 'alerts',
      usage: 'alerts [filters] [text] [as name], or filters',
      summary: 'Show active alerts. Filter with severity:error since:2d or any text',
      details: filterHelp,
      async run(call) {
        const { person, channelId } = call;
        const text = unescapeMrkdwn(call.text).trim();
        if (/^filters?$/i.test(text)) return showSavedFilters(call, 0, savedFilters);
        const save = readTypedSave(text);
        const typed = save?.filter ?? text;
        const parsed = await resolveSearch(
          call,
          (known, saved) => parseAlertSearch(typed, clock(), known, person.timeZone, saved),
          context,
        );
        if ('problem' in parsed) return notice(parsed.problem);
        const { search, used } = parsed;
        const isWholeText = used?.name === typed.toLowerCase();
        const notes = used ? [formatUsed(used, isWholeText)] : [];
        if (save) {
          const forChannel = save.isForChannel ? channelId : undefined;
          const saved = { name: save.name, search, forChannel };
          notes.unshift(await saveFilter(call, saved, context));
        }
        return list(call, search, notes);
      },
    },
  ];
}

/** The search with when the person last looked at a list, if its time begins there. */
export async function fillLastLook(
  { teamId, person, service }: Interaction,
  search: AlertSearch,
  store: Pick<AlertStore, 'readLook'>,
): Promise<AlertSearch> {
  if (search.since !== lastLook || search.lookedAt !== undefined) return search;
  const { originId } = await service();
  const lookedAt = await store.readLook({ teamId, originId }, person.slackUserId);
  return { ...search, lookedAt: lookedAt?.toISOString() };
}

/** What each filter means, with examples: lines of mrkdwn. */
export const filterHelp: string[] = [
  '*Filters*, in any order',
  `${code('severity:error')} · or several: ${code('severity:error,warning')}`,
  `${code('type:restore_failed')} · of this type`,
  `${code('policy:gold')} · part of the policy's name. With spaces: ${code('policy:"Databases, hourly"')}`,
  `${code('since:2d')} · updated since. Also ${code('since:3h')}, ${code('since:monday')} or ${code('since:2026-11-01')}`,
  `${code('since:last')} · updated since you last looked`,
  `${code('status:cleared')} · cleared alerts, or ${code('status:all')} for all`,
  `${code('errors')}, ${code('today')}, ${code('last 24h')}, ${code('all')}, ${code('new')} · the same, without a key`,
  `${code('vm-12')} · with this text. In quotation marks, anything is text: ${code('"critical"')}`,
  `${code('sort:-severity')} · most severe first. Also ${code('-updated')}, ${code('-raised')}, and all without ${code('-')}`,
  '',
  '*Saved filters*',
  `${code('errors gold as morning')} · save for you; add ${code('here')} for this channel`,
  `${code('morning')} or ${code('filter:morning')} · use it, also in ${code('/belay watch morning')}`,
  `${code('filters')} · list`,
];

/** The limit of a search. */
const searchMs = 8000;
/** How long a search continues to count after its page is full. */
const defaultCountMs = 700;
const maxServicePages = 200;

type ShowAlertsCall = Pick<Interaction, 'teamId' | 'service' | 'person' | 'settings'>;

/** The list of alerts that a search finds, one page of it, below `notes`. @throws {ServiceError} */
export async function showAlerts(
  { teamId, person, settings, service: openService }: ShowAlertsCall,
  query: AlertQuery,
  { store, knownValues, onAlertsRead, clock, countMs = defaultCountMs }: AlertContext,
  notes?: string[],
): Promise<Message> {
  const service = await openService();
  const now = clock();
  const found = await findAlerts(service.client, query, {
    now,
    signal: AbortSignal.timeout(searchMs),
    stopCounting: AbortSignal.timeout(countMs),
    maxServicePages,
  });
  const { connectionId, originId } = service;
  knownValues.seeList(teamId, found.matched);
  await onAlertsRead?.({ teamId, connectionId, alerts: found.matched });
  const of = { teamId, originId };
  // Who saw only a part, or a later page, may have missed what is new.
  const isLook = !query.shown && !found.stopped;
  const [states, mayClear] = await Promise.all([
    store.readStates(of, found.alerts.map(alertKey)),
    settings().then(
      (all) =>
        shownRights.isApproverOrAdmin(person, all) &&
        offersOperation(service.client, 'updateAlert'),
    ),
    isLook && store.recordLook(of, person.slackUserId, now),
  ]);
  return alertListMessage(found, { portalUrl: service.portalUrl, states, notes, mayClear });
}
