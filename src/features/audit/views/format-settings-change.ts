import { channelMention, mention, safe } from '../../../slack/ui/mrkdwn.ts';
import type { AuditRecord } from '../audit-store.ts';

type Facts = AuditRecord['facts'];

/** What setup has changed, as its facts tell; undefined for other entries. */
export function changeWords(facts: Facts): string | undefined {
  const words = [
    approvers(facts),
    pair(
      'the grace before a delete',
      facts.deleteGraceMinutesBefore,
      facts.deleteGraceMinutesAfter,
      {
        show: (value) => `${value} min`,
      },
    ),
    pair('users within an hour', facts.usersPerHourBefore, facts.usersPerHourAfter, {
      show: String,
    }),
    pair('the approvals channel', facts.approvalsChannelBefore, facts.approvalsChannelAfter, {
      show: (id) => channelMention(safe(String(id), 30)),
      none: 'wherever it is asked',
    }),
    facts.tokenOwnerChanged === true ? 'whose token it is' : undefined,
  ];
  return words.filter((one) => one !== undefined).join(', ') || undefined;
}

function approvers({ before, after }: Facts): string | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  return `from ${people(before)} to ${people(after)}`;
}

const shownPeople = 10;

function people(ids: unknown[]): string {
  if (ids.length === 0) return 'the admins';
  const shown = ids.slice(0, shownPeople).map((id) => mention(safe(String(id), 30)));
  const more = ids.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

type Value = Facts[string] | undefined;

/** Nothing when neither is there: it did not change. */
function pair(
  label: string,
  before: Value,
  after: Value,
  { show, none = 'none' }: { show: (value: NonNullable<Value>) => string; none?: string },
): string | undefined {
  if (before === undefined && after === undefined) return undefined;
  const shown = (value: Value) => (value === undefined ? none : show(value));
  return `${label} from ${shown(before)} to ${shown(after)}`;
}
