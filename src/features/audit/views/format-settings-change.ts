import { channelMention, mention, safe } from '../../../slack/ui/mrkdwn.ts';
import { formatLimit, limitNames, limits } from '../../../workspace/limits.ts';
import type { AuditRecord } from '../store/audit-store.ts';

type Facts = AuditRecord['facts'];

/** The settings that an entry says were changed; undefined for other entries. */
export function formatSettingsChange(facts: Facts): string | undefined {
  const changes = [
    formatApprovers(facts),
    ...roleNames.map(([role, nobody]) => formatRole(facts, role, nobody)),
    ...limitNames.map((name) =>
      formatBeforeAfter(limits[name].audited, facts[`${name}Before`], facts[`${name}After`], {
        show: (value) => formatLimit(name, Number(value)),
      }),
    ),
    formatBeforeAfter(
      'approvals channel',
      facts.approvalsChannelBefore,
      facts.approvalsChannelAfter,
      { show: (id) => channelMention(safe(String(id), 30)) },
    ),
    facts.tokenOwnerChanged === true ? 'token owner' : undefined,
  ];
  return changes.filter((change) => change !== undefined).join(', ') || undefined;
}

function formatApprovers({ before, after }: Facts): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  return `from ${formatPeople(before, 'the admins')} to ${formatPeople(after, 'the admins')}`;
}

/** Each role, and who has it if nobody is named. */
const roleNames = [
  ['viewers', 'every full member'],
  ['operators', 'every viewer'],
  ['auditors', 'approvers and admins'],
  ['admins', 'Slack admins only'],
] as const;

function formatRole(facts: Facts, role: string, nobody: string): string | undefined {
  const [before, after] = [facts[`${role}Before`], facts[`${role}After`]];
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  return `${role} from ${formatPeople(before, nobody)} to ${formatPeople(after, nobody)}`;
}

const maxShownPeople = 10;

function formatPeople(ids: unknown[], nobody: string): string {
  if (ids.length === 0) return nobody;
  const shown = ids.slice(0, maxShownPeople).map((id) => mention(safe(String(id), 30)));
  const more = ids.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

type Value = Facts[string] | undefined;

/** Undefined when neither value is there: the setting did not change. */
function formatBeforeAfter(
  label: string,
  before: Value,
  after: Value,
  { show }: { show: (value: NonNullable<Value>) => string },
): string | undefined {
  if (before === undefined && after === undefined) return undefined;
  const shown = (value: Value) => (value === undefined ? 'none' : show(value));
  return `${label} from ${shown(before)} to ${shown(after)}`;
}
