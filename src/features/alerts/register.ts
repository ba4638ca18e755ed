import type { Clock } from '../../clock.ts';
import type { OnConnection } from '../../database/connection-origin.ts';
import type { Interaction } from '../../slack/interactions/interaction.ts';
import type { Listeners } from '../../slack/interactions/listeners.ts';
import type { Subcommand } from '../../slack/interactions/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { code, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { alertKey } from './alert-key.ts';
import { parseAlertSearch, sorts } from './alert-search.ts';
import { type AlertQuery, findAlerts } from './find-alerts.ts';
import type { KnownValues } from './known-values.ts';
import type { AlertsRead } from './read-alert.ts';
import { type ChangeDependencies, registerAlertChanges } from './register-changes.ts';
import { resolveSearch } from './resolve-search.ts';
import type { AlertOwners } from './store/alert-owners.ts';
import { alertListMessage } from './views/alert-list-message.ts';
import { checkFilter, enteredSearch, filterForm, filterModal } from './views/filter-form.ts';
import { sortLabels } from './views/format-search.ts';
import { alertPager, filterActionId, searchValue, viewActionId } from './views/ids.ts';

type AlertsDependencies = ShowAlertsDependencies & ChangeDependencies;

/** `/belay alerts`: the list, its pages and its filter modal, and the details of an alert. */
export function registerAlerts(
  listeners: Listeners,
  dependencies: AlertsDependencies,
): Subcommand[] {
  const { knownValues, clock } = dependencies;
  const show = (call: Interaction, query: AlertQuery) => showAlerts(call, query, dependencies);

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
    check: (entered, { search }) => checkFilter(entered, search),
    run: ({ metadata, entered, ...call }) =>
      show(call, { search: enteredSearch(entered, metadata.search) }),
  });

  registerAlertChanges(listeners, dependencies);

  return [
    {
      name: 'alerts',
      usage: 'alerts [filters] [text]',
      summary: 'Show active alerts. Filter with severity:error since:2d or any text',
      details: filterHelp,
      async run(call) {
        const { person, text } = call;
        const typed = unescapeMrkdwn(text);
        const parsed = await resolveSearch(
          call,
          (known) => parseAlertSearch(typed, clock(), known, person.timeZone),
          knownValues,
        );
        if ('problem' in parsed) return notice(parsed.problem);
        return show(call, { search: parsed.search });
      },
    },
  ];
}

/** What each filter means, with examples: lines of mrkdwn. */
export const filterHelp: string[] = [
  '*Filters*, in any order',
  `${code('severity:error')} · of this severity, or of several: ${code('severity:error,warning')}`,
  `${code('type:restore_failed')} · of this type`,
  `${code('policy:gold')} · of policies with this in their name. With spaces: ${code('policy:"Databases, hourly"')}`,
  `${code('since:2d')} · updated in the last two days. Also ${code('since:3h')}, ${code('since:1w')}, ${code('since:monday')} or a date: ${code('since:2026-11-01')}`,
  `${code('status:cleared')} · cleared alerts, or ${code('status:all')} for active and cleared ones`,
  `${code('errors')}, ${code('today')}, ${code('last 24h')}, ${code('all')} · the same, without a key`,
  `${code('vm-12')} · with this text anywhere in the alert. In quotation marks it may look like a filter: ${code('"critical"')}`,
  '',
  '*Order*',
  ...sorts.map((sort) => `${code(`sort:${sort}`)} · ${sortLabels[sort]}`),
];

/** The limit of a search. */
const searchMs = 8000;
/** How long a search continues to count after its page is full. */
const defaultCountMs = 700;
const maxServicePages = 200;

type ShowAlertsDependencies = {
  knownValues: KnownValues;
  /** Called with the alerts that a search found, before they are shown. */
  onAlertsRead?: ((read: AlertsRead) => Promise<void>) | undefined;
  clock: Clock;
  countMs?: number | undefined;
  readOwners: (of: OnConnection, keys: string[]) => Promise<AlertOwners>;
};

/** The list of alerts that a search finds, one page of it. @throws {ServiceError} */
export async function showAlerts(
  { teamId, service: openService }: Pick<Interaction, 'teamId' | 'service'>,
  query: AlertQuery,
  {
    knownValues,
    onAlertsRead,
    clock,
    countMs = defaultCountMs,
    readOwners,
  }: ShowAlertsDependencies,
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
  const owners = await readOwners({ teamId, originId }, found.alerts.map(alertKey));
  return alertListMessage(found, { portalUrl: service.portalUrl, owners });
}
