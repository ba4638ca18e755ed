import type { Listeners } from '../../slack/listeners/listeners.ts';
import type { Subcommand } from '../../slack/listeners/subcommand.ts';
import { notice } from '../../slack/ui/blocks.ts';
import { openModal } from '../../slack/ui/modal.ts';
import { unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import type { ServiceRef } from '../workspaces/index.ts';
import { parseAlertSearch } from './alert-search.ts';
import { readFilterForm } from './filter-form.ts';
import type { AlertQuery } from './find-alerts.ts';
import { type ChangeDependencies, registerAlertChanges } from './register-changes.ts';
import { resolveSearch } from './resolve-search.ts';
import { type ShowAlertsDependencies, showAlerts } from './show-alerts.ts';
import { filterHelp } from './views/filter-help.ts';
import { filterModal } from './views/filter-modal.ts';
import {
  alertPager,
  filterActionId,
  filterCallbackId,
  filterMetadata,
  searchValue,
  viewActionId,
} from './views/ids.ts';

export { showAlerts };

export type AlertsDependencies = ShowAlertsDependencies & { changing: ChangeDependencies };

/** `/belay alerts`: the list, its pages and its filter modal, and the details of an alert. */
export function registerAlerts(
  listeners: Listeners,
  dependencies: AlertsDependencies,
): Subcommand[] {
  const { openService, knownValues, clock, changing } = dependencies;
  const show = (of: ServiceRef, query: AlertQuery) => showAlerts(of, query, dependencies);

  listeners.pages(alertPager, ({ value, ...call }) => show(call, value));

  listeners.action(
    viewActionId,
    searchValue,
    async ({ value, ...call }) => ({ reply: await show(call, value) }),
    { isAnnounced: true },
  );

  listeners.action(filterActionId, searchValue, async (call) => {
    const { value, teamId, channelId } = call;
    await openModal(call, filterModal(value.search, knownValues.read(teamId), channelId));
    return undefined;
  });

  listeners.submission(filterCallbackId, {
    metadata: filterMetadata,
    check(values, { search }) {
      const read = readFilterForm(values, search);
      return 'errors' in read ? read.errors : undefined;
    },
    async run({ metadata, values, ...call }) {
      const read = readFilterForm(values, metadata.search);
      if ('errors' in read) return notice(Object.values(read.errors).join('\n'));
      return show(call, { search: read.search });
    },
  });

  registerAlertChanges(listeners, { openService, clock, changing });

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
          dependencies,
        );
        if ('problem' in parsed) return notice(parsed.problem);
        return show(call, { search: parsed.search });
      },
    },
  ];
}
