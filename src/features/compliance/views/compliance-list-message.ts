import {
  context,
  type KnownBlock,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { bold, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { PolicyReading } from '../read-compliance.ts';
import { ebsOnly, formatReading } from './format-compliance.ts';
import { showButton } from './show-button.ts';

const maxShown = 20;

/**
 * Policies with their compliance: those with the most non-compliant volumes first, then those that
 * could not be read, of which nothing is known.
 */
export function complianceListMessage(
  readings: PolicyReading[],
  { unreadCount }: { unreadCount: number },
): Message {
  if (readings.length === 0) return notice(`The service has no policies yet. ${ebsOnly}`);
  const sorted = readings.toSorted(
    (one, other) =>
      failingCount(other) - failingCount(one) || Number(isUnread(other)) - Number(isUnread(one)),
  );
  const shown = sorted.slice(0, maxShown);
  const title = formatTitle(readings);
  const hidden = sorted.slice(maxShown);
  const notes = [
    ...(hidden.length > 0
      ? [`${plural(hidden.length, 'policy', 'policies')} more${formatUnread(hidden)}: ${askByName}`]
      : []),
    ...(unreadCount > 0
      ? [`The statistics of another ${unreadCount} were not read: ${askByName}`]
      : []),
    ebsOnly,
  ].join(' ');
  const blocks: KnownBlock[] = [
    section(`*${title}*`),
    ...shown.map(({ policy, reading }) =>
      section(`${bold(policy.name, 150)}\n${formatReading(reading)}`, showButton(policy)),
    ),
    context(notes),
  ];
  const sentences = shown.map(
    ({ policy, reading }) => `${safe(policy.name, 100)}: ${formatReading(reading)}`,
  );
  const text = [`${title}. ${notes}`, ...sentences].join('\n');
  return message(text, blocks);
}

const askByName = 'ask by name, `/belay compliance [policy name or id]`.';

function formatTitle(readings: PolicyReading[]): string {
  const failing = readings.filter((reading) => failingCount(reading) > 0).length;
  const unread = readings.filter(isUnread).length;
  if (unread > 0) return formatPartialTitle({ failing, unread, read: readings.length - unread });
  return failing > 0
    ? `Compliance: ${failing} of ${plural(readings.length, 'policy', 'policies')} with non-compliant volumes`
    : `Compliance: ${plural(readings.length, 'policy', 'policies')}, no non-compliant volume reported`;
}

/** Claims nothing about policies that could not be read. */
function formatPartialTitle(counts: { failing: number; unread: number; read: number }): string {
  const { failing, unread, read } = counts;
  const those = read === 1 ? 'the one policy that was read' : `the ${read} policies that were read`;
  const some = `non-compliant volumes in ${read === 1 ? '' : `${failing} of `}${those}`;
  const result = failing > 0 ? some : `no non-compliant volume reported in ${those}`;
  return `Compliance: ${result} · ${unread} could not be read`;
}

function formatUnread(hidden: PolicyReading[]): string {
  const unread = hidden.filter(isUnread).length;
  return unread > 0 ? `, ${unread} of which could not be read` : '';
}

function isUnread({ reading }: PolicyReading): boolean {
  return reading.outcome === 'failed';
}

function failingCount({ reading }: PolicyReading): number {
  return reading.outcome === 'read' ? (reading.statistics.nonCompliantCount ?? 0) : 0;
}
