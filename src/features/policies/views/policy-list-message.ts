import type { Policy } from '../../../dataprotection/resources/policies.ts';
import {
  actions,
  actionsIfAny,
  type Button,
  button,
  context,
  type Message,
  message,
  notice,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { code, safe } from '../../../slack/ui/mrkdwn.ts';
import { pagesAround } from '../../../slack/ui/pager.ts';
import { type TableColumn, table } from '../../../slack/ui/table.ts';
import { noValue } from '../../../slack/ui/unknown-fields.ts';
import {
  calculateShare,
  knownPoliciesNote,
  policyMenu,
  type Reading,
} from '../../compliance/index.ts';
import type { KnownPolicy } from '../store/policy-catalog.ts';
import { formatFrequency, formatOperation, formatRetention } from './format-policy.ts';
import { readActivation, readLock } from './format-state.ts';
import { createFormActionId, policyPager, showActionId } from './ids.ts';
import { complianceNote, sourceWords } from './policy-message.ts';

export const policiesPerPage = 10;

/** One page of a search: `total` policies match, and `start` is the position of the first shown. */
type PolicyPage<Row> = {
  rows: { policy: Row; reading: Reading }[];
  search: string;
  start: number;
  total: number;
  /** Unless the reader may not request a policy. */
  canCreate?: boolean | undefined;
};

/** Ten policies: what each backs up, how often, how long it keeps, its state and compliance. */
export function policyListMessage(page: PolicyPage<Policy>): Message {
  if (page.total === 0) return nothingMessage(page, 'This service has no policies.');
  // The documented dialect has no states.
  const hasStates = page.rows.some(({ policy }) => formatState(policy) !== '');
  const titles = ['Policy', 'Backs up', 'Every', 'Keeps'];
  const columns = [...titles, ...(hasStates ? ['Active'] : []), 'Compliant'];
  const rows = page.rows.map(({ policy, reading }) => [
    ...[policy.name, ...formatDefinition(policy)],
    ...(hasStates ? [formatState(policy) || noValue] : []),
    formatCompliance(reading),
  ]);
  return listMessage(page, { columns, rows, notes: [] });
}

/** The same for a service that lists no policies: those that Belay knows. */
export function catalogMessage(page: PolicyPage<KnownPolicy>): Message {
  if (page.total === 0) return nothingMessage(page, `No policies yet. ${knownPoliciesNote}`);
  const columns = ['Policy', 'ID', 'Compliant', 'Source'];
  const rows = page.rows.map(({ policy: { id, name, source }, reading }) => [
    ...[name, id, formatCompliance(reading), sourceWords[source]],
  ]);
  return listMessage(page, { columns, rows, notes: [knownPoliciesNote] });
}

function nothingMessage({ search, canCreate }: PolicyPage<unknown>, none: string): Message {
  if (search !== '') {
    return notice(
      `No policy matches “${safe(search, 100)}”. Run \`/belay policies\` to see all policies.`,
    );
  }
  return message([section(none), ...actionsIfAny(createButtons(canCreate))]);
}

function listMessage(
  page: PolicyPage<Policy | KnownPolicy>,
  { columns, rows, notes }: { columns: string[]; rows: string[][]; notes: string[] },
): Message {
  const { search, start, total } = page;
  const range = total > policiesPerPage ? `${start + 1}-${start + rows.length} of ${total}` : total;
  const filters = search === '' ? [] : [`Filter: “${safe(search, 100)}”`];
  const isUnread = page.rows.some(({ reading }) => reading.outcome === 'failed');
  const unread = isUnread
    ? ["Unavailable: compliance couldn't be read · Select *Refresh* to try again"]
    : [];
  // In quotation marks, because a name may be a word of the command.
  const command = code(search === '' ? '/belay policies' : `/belay policies "${search}"`, 220);
  const menu = policyMenu(
    page.rows.map(({ policy }) => policy),
    showActionId,
  );
  const pageButtons = policyPager.buttons(
    pagesAround({ search, start }, { total, perPage: policiesPerPage }),
  );
  return message([
    section(`*Policies · ${range}*`),
    ...filters.map(context),
    table(
      columns.map((one): TableColumn => ({ title: one })),
      rows,
    ),
    actions([...(menu ? [menu] : []), ...pageButtons, ...createButtons(page.canCreate)]),
    context([...unread, ...notes, `${complianceNote} · Command: ${command}`].join('\n')),
  ]);
}

/** What, how often and how long, each word once: an overview, which the policy's page says in full. */
function formatDefinition({ slaSets }: Policy): [string, string, string] {
  const slas = slaSets.flatMap((slaSet) => slaSet.slas);
  const operations = slaSets.map(({ operation }) => formatOperation(operation));
  const frequencies = slas.map(({ rpoFrequency }) => formatFrequency(rpoFrequency));
  const retentions = slas.map(({ retentionDuration }) => formatRetention(retentionDuration));
  // Without what the titles of the columns say, so that the table fits a phone.
  return [
    unique(operations.map((operation) => operation.replace(/ backup$/, ''))),
    unique(frequencies.map((frequency) => frequency.replace(/^every /, ''))),
    unique(retentions),
  ];
}

/** What couldn't be read is unknown, never 0. Unprotected volumes are in no percentage. */
function formatCompliance(reading: Reading): string {
  if (reading.outcome === 'failed') return 'Unavailable';
  if (reading.outcome === 'none') return 'No data';
  const { compliantCount, nonCompliantCount, unprotectedCount } = reading.statistics;
  const share = calculateShare(reading.statistics)?.percent;
  const counts = [
    share ?? (compliantCount && `${compliantCount} compliant`),
    share === undefined && nonCompliantCount && `${nonCompliantCount} noncompliant`,
    unprotectedCount && `${unprotectedCount} unprotected`,
  ];
  return counts.filter(Boolean).join(', ') || 'No data';
}

function unique(texts: string[]): string {
  return [...new Set(texts)].join(', ');
}

function formatState(policy: Policy): string {
  return [readActivation(policy)?.short, readLock(policy)].filter(Boolean).join(', ');
}

function createButtons(canCreate = true): Button[] {
  if (!canCreate) return [];
  const text = 'Create policy';
  const value = encodeValue({});
  return [button({ text, actionId: createFormActionId, value, accessibilityLabel: text })];
}
