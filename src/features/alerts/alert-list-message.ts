import {
  actions,
  button,
  context,
  divider,
  type KnownBlock,
  type Message,
  message,
  section,
} from '../../slack/blocks.ts';
import { encodeValue } from '../../slack/codec.ts';
import { safe } from '../../slack/mrkdwn.ts';
import { alertSection, alertSentence } from './alert-section.ts';
import type { FoundAlerts } from './find-alerts.ts';
import { newerActionId, olderActionId } from './ids.ts';
import { ageOf } from './timestamp.ts';

/** One page of active alerts. What a search could not look at is said, never left out silently. */
export function alertListMessage(found: FoundAlerts): Message {
  const title = titleOf(found);
  const notes = [stoppedLine(found), footer(found)].filter((line) => line !== undefined);
  const blocks: KnownBlock[] = [
    section(`*${title}*`),
    ...found.alerts.flatMap((alert) => [divider(), alertSection(alert)]),
    ...pageButtons(found),
    ...notes.map(context),
  ];
  const sentences = [`${title}.`, ...found.alerts.map(alertSentence), ...notes];
  return message(sentences.join('\n'), blocks);
}

function titleOf({ alerts, filter, pageNumber, hasOlder, stopped }: FoundAlerts): string {
  const which = filter ? ` that contain “${shownFilter(filter)}”` : '';
  if (alerts.length > 0) return `Active alerts${which}, newest first`;
  if (pageNumber > 1 || hasOlder) return `No more active alerts${which}`;
  if (stopped) return `No active alerts${which} so far`;
  return filter ? `No active alerts${which}` : 'No active alerts. All is quiet';
}

/** The filter stands within bold text. */
function shownFilter(filter: string): string {
  return safe(filter.replaceAll('*', '∗').replaceAll('`', 'ˋ'), 100);
}

function pageButtons({ filter, pageNumber, asOf, hasOlder }: FoundAlerts): KnownBlock[] {
  const pageAt = (page: number) => encodeValue({ filter, pageNumber: page, asOf });
  const newer = button({
    text: 'Newer',
    actionId: newerActionId,
    value: pageAt(pageNumber - 1),
    accessibilityLabel: 'Previous page, with newer alerts',
  });
  const older = button({
    text: 'Older',
    actionId: olderActionId,
    value: pageAt(pageNumber + 1),
    accessibilityLabel: 'Next page, with older alerts',
  });
  const buttons = [...(pageNumber > 1 ? [newer] : []), ...(hasOlder ? [older] : [])];
  return buttons.length > 0 ? [divider(), actions(buttons)] : [];
}

function stoppedLine({ stopped }: FoundAlerts): string | undefined {
  if (!stopped) return undefined;
  const backTo = stopped.backTo ? `, back to ${ageOf(stopped.backTo)}` : '';
  return `:hourglass: This took too long, so Belay stopped after the newest ${stopped.lookedAt} alerts${backTo}. Older ones were not looked at.`;
}

function footer({ alerts, filter, pageNumber, asOf }: FoundAlerts): string | undefined {
  if (alerts.length === 0 && pageNumber === 1) {
    return filter ? 'Without a text, `/belay alerts` shows all active alerts.' : undefined;
  }
  const since =
    pageNumber > 1 && asOf ? ` · For alerts since ${ageOf(asOf)}, run the command again` : '';
  return `Page ${pageNumber} · cleared alerts are not shown${since}`;
}
