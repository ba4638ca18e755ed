import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { actions, context, type KnownBlock, section } from '../../../slack/ui/blocks.ts';
import { commandButton } from '../../../slack/ui/command-button.ts';
import { code, safe } from '../../../slack/ui/mrkdwn.ts';
import { table } from '../../../slack/ui/table.ts';
import { plural } from '../../../slack/ui/words.ts';
import {
  type AlertSearch,
  detailsButton,
  formatAlertLine,
  formatSearch,
  policiesOf,
  problemOf,
  severityOf,
  severityRank,
} from '../../alerts/index.ts';
import type { AlertGroup, DigestContents } from '../collect/digest-contents.ts';

type Groups = Pick<DigestContents, 'newAlerts' | 'openAlerts'>;

/** Of both groups together: more than these are counted by cause. */
const maxShown = 3;
const maxCauses = 6;
const maxPolicies = 3;

/** The alerts of a digest: how many of each cause, then those that matter most. */
export function alertBlocks(
  { newAlerts, openAlerts }: Groups,
  { search, channelId }: { search: AlertSearch; channelId: string },
): KnownBlock[] {
  const fresh = newAlerts?.alerts ?? [];
  const open = openAlerts?.alerts ?? [];
  const count = fresh.length + open.length;
  if (count === 0) return [];
  const ofFresh = fresh.slice(0, maxShown);
  const ofOpen = open.slice(0, maxShown - ofFresh.length);
  const show = (alert: Alert) => section(formatAlertLine(alert), detailsButton(alert, channelId));
  const isCut = count > maxShown;
  return [
    ...(isCut ? causeBlocks({ newAlerts, openAlerts }) : []),
    ...(ofFresh.length > 0 ? [section(formatHeading('New alerts', newAlerts))] : []),
    ...ofFresh.map(show),
    ...(ofOpen.length > 0
      ? [section(formatHeading(newAlerts ? 'Still active' : 'Active alerts', openAlerts))]
      : []),
    ...ofOpen.map(show),
    ...(isCut ? [viewBlock(search)] : []),
  ];
}

function formatHeading(title: string, group: AlertGroup | undefined): string {
  return `*${title}* · ${group?.stopped ? 'at least ' : ''}${group?.alerts.length ?? 0}`;
}

/** A row for each severity and cause, the worst first, and the policies of what is new. */
function causeBlocks({ newAlerts, openAlerts }: Groups): KnownBlock[] {
  const causes = countCauses({ newAlerts, openAlerts });
  const numbers = (counted: Pick<Cause, 'fresh' | 'open'>[]) => [
    ...(newAlerts ? [String(counted.reduce((sum, { fresh }) => sum + fresh, 0))] : []),
    ...(openAlerts ? [String(counted.reduce((sum, { open }) => sum + open, 0))] : []),
  ];
  const shown = causes.length > maxCauses ? causes.slice(0, maxCauses - 1) : causes;
  const others = causes.slice(shown.length);
  const rows = shown.map((one) => [problemOf(one.first), severityOf(one.first), ...numbers([one])]);
  if (others.length > 0) rows.push([plural(others.length, 'other cause'), '', ...numbers(others)]);
  const policies = formatPolicies(newAlerts?.alerts ?? []);
  // What could not all be read is a minimum, as above the table.
  const column = (title: string, { stopped }: AlertGroup) => ({
    title: stopped ? `${title}, at least` : title,
    align: 'right' as const,
  });
  return [
    table(
      [
        { title: 'Cause' },
        { title: 'Severity' },
        ...(newAlerts ? [column('New', newAlerts)] : []),
        ...(openAlerts ? [column(newAlerts ? 'Still active' : 'Active', openAlerts)] : []),
      ],
      rows,
    ),
    ...(policies ? [context(`New by policy: ${policies}`)] : []),
  ];
}

/** Alerts of one severity and cause: `fresh` are new, `open` were active before. */
type Cause = { first: Alert; fresh: number; open: number };

function countCauses({ newAlerts, openAlerts }: Groups): Cause[] {
  const all = [
    ...(newAlerts?.alerts ?? []).map((alert) => ({ alert, isFresh: true })),
    ...(openAlerts?.alerts ?? []).map((alert) => ({ alert, isFresh: false })),
  ];
  const grouped = Map.groupBy(all, ({ alert }) =>
    JSON.stringify([severityOf(alert), problemOf(alert)]),
  );
  return [...grouped.values()]
    .flatMap((alerts) => {
      const fresh = alerts.filter(({ isFresh }) => isFresh).length;
      const [first] = alerts;
      return first ? [{ first: first.alert, fresh, open: alerts.length - fresh }] : [];
    })
    .toSorted(
      (one, other) =>
        severityRank(other.first) - severityRank(one.first) ||
        other.fresh - one.fresh ||
        other.open - one.open,
    );
}

/** "Gold 4 · Silver 2 · 3 other policies"; empty if no alert names a policy. */
function formatPolicies(alerts: Alert[]): string {
  const names = alerts.flatMap((alert) => {
    const [policy] = policiesOf(alert);
    return policy ? [policy.name ?? policy.id] : [];
  });
  const counted = [...Map.groupBy(names, (name) => name)]
    .map(([name, { length }]) => ({ name, length }))
    .toSorted((one, other) => other.length - one.length);
  const left = counted.length - maxPolicies;
  return [
    ...counted.slice(0, maxPolicies).map(({ name, length }) => `${safe(name, 60)} ${length}`),
    ...(left > 0 ? [plural(left, 'other policy', 'other policies')] : []),
  ].join(' · ');
}

/** The whole list: a button, or the command for a search that is too long for one. */
function viewBlock(search: AlertSearch): KnownBlock {
  const line = ['alerts', formatSearch(search)].filter(Boolean).join(' ');
  const view = commandButton({ text: 'View alerts', line });
  return view ? actions([view]) : context(code(`/belay ${line}`, 2000));
}
