import type { Clock } from '../../clock.ts';
import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { openModal } from '../../slack/ui/modal.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { notConnected, type OpenService } from '../workspaces/index.ts';
import { parseAlertSearch } from './alert-search.ts';
import { readFilterForm } from './filter-form.ts';
import { type AlertQuery, findAlerts } from './find-alerts.ts';
import { type ChangeDependencies, registerAlertChanges } from './register-changes.ts';
import { resolveSearch } from './resolve-search.ts';
import type { KnownValueStore } from './store/known-value-store.ts';
import { alertListMessage } from './views/alert-list-message.ts';
import { filterModal } from './views/filter-modal.ts';
import {
  filterActionId,
  filterCallbackId,
  filterMetadata,
  newerActionId,
  olderActionId,
  pageValue,
  searchValue,
} from './views/ids.ts';

/** The limit of a search. */
const searchMs = 8000;
/** How long a search continues to count after its page is full. */
const defaultCountMs = 700;
const maxServicePages = 200;

export type AlertsDependencies = {
  openService: OpenService;
  knownValues: KnownValueStore;
  clock: Clock;
  changing: ChangeDependencies;
  countMs?: number | undefined;
};

/** `/belay alerts`: the list, its pages and its filter modal, and the details of an alert. */
export function registerAlerts(
  listeners: Listeners,
  dependencies: AlertsDependencies,
): Subcommand[] {
  const { openService, knownValues, clock, changing, countMs = defaultCountMs } = dependencies;

  async function showPage(teamId: string, query: AlertQuery): Promise<Message> {
    const service = await openService(teamId);
    if (!service) return notConnected;
    const now = clock();
    const found = await findAlerts(service.client, query, {
      now,
      signal: AbortSignal.timeout(searchMs),
      stopCounting: AbortSignal.timeout(countMs),
      maxServicePages,
    });
    await knownValues.add(teamId, found.matched, now);
    return alertListMessage(found);
  }

  for (const actionId of [newerActionId, olderActionId]) {
    listeners.action(
      actionId,
      pageValue,
      async ({ value, teamId }) => ({ replace: await showPage(teamId, value) }),
      { isAnnounced: true },
    );
  }

  listeners.action(filterActionId, searchValue, async (call) => {
    const { value, teamId, channelId } = call;
    await openModal(call, filterModal(value.search, await knownValues.read(teamId), channelId));
    return undefined;
  });

  listeners.submission(filterCallbackId, {
    metadata: filterMetadata,
    check(values, { search }) {
      const read = readFilterForm(values, search);
      return 'errors' in read ? read.errors : undefined;
    },
    async run({ teamId, metadata, values }) {
      const read = readFilterForm(values, metadata.search);
      if ('errors' in read) return notice(Object.values(read.errors).join('\n'));
      return showPage(teamId, { search: read.search, pageNumber: 1 });
    },
  });

  registerAlertChanges(listeners, { openService, clock, changing });

  return [
    {
      name: 'alerts',
      usage: 'alerts [filters] [text]',
      summary:
        'Show active alerts, newest first; filters such as severity:error since:2d narrow them',
      async run({ teamId, person, text }) {
        const typed = unescapeMrkdwn(text);
        const parsed = await resolveSearch(
          teamId,
          (known) => parseAlertSearch(typed, clock(), known, person.timeZone),
          dependencies,
        );
        if ('problem' in parsed) return notice(parsed.problem);
        return showPage(teamId, { search: parsed.search, pageNumber: 1 });
      },
    },
  ];
}
