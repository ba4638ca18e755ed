import { z } from 'zod';
import { code, mentionedUser, unescapeMrkdwn } from '../../slack/ui/mrkdwn.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import { resolveSince, sinceProblem } from '../../slack/ui/typed-since.ts';
import { isLogEvent, logEvents } from './views/format-entry.ts';

const maxUserLength = 200;

/** The value of the button *Older*: the filter, and the entry to continue before. */
export const auditPage = z.object({
  by: z.string().max(30).optional(),
  user: z.string().max(maxUserLength).optional(),
  event: z.enum(logEvents).optional(),
  since: z.iso.datetime().optional(),
  before: z.int().positive().optional(),
});

export type AuditPage = z.infer<typeof auditPage>;

export const auditKeys = ['by', 'user', 'event', 'since'] as const;
const example = 'For example: `/belay audit event:denied since:7d`.';

/**
 * The filter typed after `/belay audit`, or what is wrong with it, in mrkdwn. Days are those of the
 * person's `timeZone`, an IANA name.
 */
export function parseAuditFilter(
  text: string,
  now: Date,
  timeZone?: string | undefined,
): AuditPage | { problem: string } {
  const typed = parseTypedFilter(text, auditKeys);
  if ('problem' in typed) return typed;
  const { values, words } = typed;
  const [word] = words;
  if (word !== undefined) {
    const known = auditKeys.map((key) => code(`${key}:`)).join(', ');
    return {
      problem: `${code(unescapeMrkdwn(word), 60)} is no filter. Put one of ${known} before it. ${example}`,
    };
  }
  const by = values.by === undefined ? undefined : mentionedUser(values.by);
  if (values.by !== undefined && !by)
    return { problem: 'After `by:` comes a person, such as `by: @kim`.' };
  const event = values.event?.toLowerCase();
  if (event !== undefined && !isLogEvent(event)) return { problem: unknownEvent(event) };
  const since = values.since?.toLowerCase();
  const problem =
    since === undefined ? undefined : sinceProblem(unescapeMrkdwn(since), now, timeZone);
  if (problem) return { problem };
  const user = values.user && unescapeMrkdwn(values.user).slice(0, maxUserLength);
  const moment = since === undefined ? undefined : resolveSince(since, now, timeZone);
  return { by, user, event, since: moment?.toISOString() };
}

function unknownEvent(event: string): string {
  const near = suggest(event, logEvents);
  const hint = near ? ` Did you mean ${code(near)}?` : '';
  return `The log has no event ${code(event, 60)}.${hint} There are: ${logEvents.map((one) => code(one)).join(', ')}.`;
}
