import { z } from 'zod';
import { code, mentionedUser, safe, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import { resolveSince, sinceProblem } from '../../slack/ui/typed-since.ts';
import { findEvent, logEvents, nameOf } from './event-names.ts';

const maxUserLength = 200;
const maxTypedLength = 300;

/** The value of the list's buttons: the filter, and where the page starts. */
export const auditPage = z.object({
  by: z.string().max(30).optional(),
  user: z.string().max(maxUserLength).optional(),
  event: z.enum(logEvents).optional(),
  since: z.iso.datetime().optional(),
  /** Only entries older than this one. */
  before: z.int().positive().optional(),
  /** Only entries newer than this one. */
  after: z.int().positive().optional(),
  /** The filter as typed, for the command that repeats the list; missing if it is too long. */
  typed: z.string().max(maxTypedLength).optional(),
});

export type AuditPage = z.infer<typeof auditPage>;

const auditKeys = ['by', 'user', 'event', 'since'] as const;
const example = 'Example: `/belay audit event:denied since:7d`';

/** `name`: the person's name as typed, if Slack did not turn it into an id. */
type TypedAuditFilter = { page: AuditPage; name: string | undefined };

/**
 * The filter typed after `/belay audit`, or what is wrong with it, in mrkdwn. Days are those of the
 * person's `timeZone`, an IANA name.
 */
export function parseAuditFilter(
  text: string,
  now: Date,
  timeZone?: string | undefined,
): TypedAuditFilter | { problem: string } {
  const parsed = parseTypedFilter(text, auditKeys);
  if ('problem' in parsed) return parsed;
  const { values, words } = parsed;
  const [word] = words;
  if (word !== undefined) {
    const known = auditKeys.map((key) => code(`${key}:`)).join(', ');
    return {
      problem: `Unknown filter ${code(unescapeMrkdwn(word.text), 60)}. Use ${known}. ${example}`,
    };
  }
  const event = values.event === undefined ? undefined : findEvent(values.event);
  if (values.event !== undefined && !event) return { problem: unknownEvent(values.event) };
  const since = values.since?.toLowerCase();
  const problem =
    since === undefined ? undefined : sinceProblem(unescapeMrkdwn(since), now, timeZone);
  if (problem) return { problem };
  const by = values.by && mentionedUser(values.by);
  const user = values.user && unescapeMrkdwn(values.user).slice(0, maxUserLength);
  const moment = since === undefined ? undefined : resolveSince(since, now, timeZone);
  const typed = unescapeMrkdwn(text.trim().replaceAll(/<@[^|>]*\|([^>]*)>/g, '@$1'));
  return {
    page: {
      by,
      user,
      event,
      since: moment?.toISOString(),
      ...(typed.length > maxTypedLength ? {} : { typed }),
    },
    name: by ? undefined : values.by && unescapeMrkdwn(values.by).replace(/^@/, ''),
  };
}

/** For a typed name that `count` people have. */
export function notOnePersonProblem(name: string, count: number): string {
  const shown = `“${safe(name, 60)}”`;
  const found =
    count === 0
      ? `Nobody in this workspace has the name ${shown}.`
      : `${count} people have the name ${shown}.`;
  return `${found} Type a space after the colon and choose the person from the list: ${code('by: @…')}`;
}

function unknownEvent(typed: string): string {
  const names = logEvents.map(nameOf);
  const near = suggest(typed.toLowerCase(), names);
  const hint = near ? ` Did you mean ${code(near)}?` : '';
  return `Unknown event “${safe(typed, 60)}”.${hint} Use ${names.map((name) => code(name)).join(', ')}. Meanings: ${code('/belay help audit')}`;
}
