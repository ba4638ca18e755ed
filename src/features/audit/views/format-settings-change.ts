import { channelMention, mention, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AuditRecord } from '../store/audit-store.ts';

type Facts = AuditRecord['facts'];

/** The settings that an entry says were changed; undefined for other entries. */
export function formatSettingsChange(facts: Facts): string | undefined {
  const changes = [
    formatApprovers(facts),
    formatBeforeAfter(
      'deletion grace period',
      facts.deleteGraceMinutesBefore,
      facts.deleteGraceMinutesAfter,
      { show: (value) => (value === 1 ? '1 minute' : `${value} minutes`) },
    ),
    formatBeforeAfter(
      'limit of users per hour',
      facts.usersPerHourBefore,
      facts.usersPerHourAfter,
      { show: String },
    ),
    formatBeforeAfter(
      'approvers needed to weaken a policy',
      facts.weakeningApprovalsBefore,
      facts.weakeningApprovalsAfter,
      { show: String },
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
  return `from ${formatPeople(before)} to ${formatPeople(after)}`;
}

const maxShownPeople = 10;

function formatPeople(ids: unknown[]): string {
  if (ids.length === 0) return 'workspace admins';
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
