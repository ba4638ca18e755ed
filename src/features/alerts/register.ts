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
import type { SeenValues } from './known-values.ts';
import { type AlertChanging, registerAlertChanges } from './register-changes.ts';
import { alertListMessage } from './views/alert-list-message.ts';
import { filterMetadata, pageValue, searchValue } from './views/alert-values.ts';
import { filterModal } from './views/filter-modal.ts';
import { filterActionId, filterCallbackId, newerActionId, olderActionId } from './views/ids.ts';

/** As long as a person waits for a list, and for how long it goes on counting when it is there. */
const searchMs = 8000;
const countMs = 700;
const maxServicePages = 200;

export function registerAlerts(
  listeners: Listeners,
  dependencies: {
    openService: OpenService;
    seen: SeenValues;
    clock: Clock;
    changing: AlertChanging;
  },
): Subcommand[] {
  const { openService, seen, clock, changing } = dependencies;

  async function showPage(teamId: string, query: AlertQuery): Promise<Message> {
    const service = await openService(teamId);
    if (!service) return notConnected;
    const found = await findAlerts(service.client, query, {
      now: clock(),
      signal: AbortSignal.timeout(searchMs),
      hurry: AbortSignal.timeout(countMs),
      maxServicePages,
    });
    seen.note(teamId, found.matched);
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
    await openModal(call, filterModal(value.search, seen.of(teamId), channelId));
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
        const read = parseAlertSearch(typed, clock(), seen.of(teamId), person.timeZone);
        if ('problem' in read) return notice(read.problem);
        return showPage(teamId, { search: read.search, pageNumber: 1 });
      },
    },
  ];
}
