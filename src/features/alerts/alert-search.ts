import { z } from 'zod';
import { subDays } from '../../dates.ts';
import { limits } from '../../slack/ui/limits.ts';
import { code, quoteInline } from '../../slack/ui/mrkdwn.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { missingValueProblem, parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import { isDay, isSince, resolveSince, sinceProblem } from '../../slack/ui/typed-since.ts';
import { joinWords } from '../../slack/ui/words.ts';
import { type AlertValues, builtInValues, isUsableValue } from './known-values.ts';
import { hasMeaning, readWords, refusedWords } from './read-words.ts';

export const statuses = ['active', 'cleared', 'all'] as const;
export const sorts = ['-updated', 'updated', '-raised', 'raised', '-severity', 'severity'] as const;

/** Of one value or word, in characters. */
export const maxValueLength = 100;
const value = z.string().min(1).max(maxValueLength);

/** How many severities or types a search may name; each fits the value of a menu option. */
export const maxNames = 20;
const names = z.array(z.string().min(1).max(limits.optionValue)).min(1).max(maxNames).optional();

/** The value of `since` for what was updated after the person last looked at a list. */
export const lastLook = 'last';

/** In characters of JSON, so that a search fits the value of a button. */
const maxSearchLength = 1700;

/**
 * Which alerts to show, and in which order; stored with watches and carried by buttons. "Active" is
 * everything that is not cleared. Every word must occur in what the list shows of an alert.
 */
export const alertSearchSchema = z
  .object({
    severities: names,
    status: z.enum(statuses),
    types: names,
    /** Part of the policy's name, or its id. */
    policy: value.optional(),
    /** Updated since: an age (`2d`) or a named day, which move with time, or a date (`2026-11-01`). */
    since: z
      .string()
      .refine((since) => since === lastLook || isSince(since))
      .optional(),
    /** IANA time zone in which that day starts; UTC if missing. */
    timeZone: z.string().max(60).optional(),
    /** For `lastLook`: when the person had looked before (ISO 8601); missing if never. */
    lookedAt: z.iso.datetime().optional(),
    sort: z.enum(sorts),
    words: z.array(value),
  })
  .refine((search) => JSON.stringify(search).length <= maxSearchLength);

export type AlertSearch = z.infer<typeof alertSearchSchema>;

export const defaultSearch: AlertSearch = { status: 'active', sort: '-updated', words: [] };

/** `filter` is the name of a saved filter, to which the other parts are added. */
export const searchKeys = [
  'severity',
  'status',
  'type',
  'policy',
  'since',
  'sort',
  'filter',
] as const;

/** The time after which the alerts of a search were updated. Who never looked sees the last day. */
export function sinceOf({ since, timeZone, lookedAt }: AlertSearch, now: Date): Date | undefined {
  if (since === lastLook) return lookedAt === undefined ? subDays(now, 1) : new Date(lookedAt);
  return since === undefined ? undefined : resolveSince(since, now, timeZone);
}

/** A search with a name. `owner`: Slack id of the person or the channel that it belongs to. */
export type SavedFilter = {
  owner: string;
  /** In lower case. */
  name: string;
  search: AlertSearch;
  createdBy: string;
  createdAt: Date;
};

/**
 * `used`: the saved filter that the search was made from. `problem` is mrkdwn. `unlisted` is set if the
 * only fault is values that are neither known nor a likely typo of a known one: the service may have them.
 */
export type ParsedSearch =
  | { search: AlertSearch; used?: SavedFilter | undefined }
  | { problem: string; unlisted?: AlertValues | undefined };

const example = 'Example: `/belay alerts severity:error since:2d vm-12`';

/**
 * Parses a search as a person types it (already unescaped from Slack's form). `known` are the
 * severities and types to accept, `timeZone` is the person's. A name in `saved`, the first one with it,
 * stands for its search.
 */
export function parseAlertSearch(
  text: string,
  now: Date,
  known: AlertValues = builtInValues,
  timeZone?: string | undefined,
  saved: readonly SavedFilter[] = [],
): ParsedSearch {
  const named = findNamed(text, saved);
  if (named) return { search: named.search, used: named };
  const typed = parseTypedFilter(text, searchKeys, { hasWords: true });
  if ('problem' in typed) return { problem: `${typed.problem} ${example}` };
  const read = readWords(typed, known, searchKeys);
  if ('problem' in read) return read;
  const { severity, status, type, policy, since, sort, filter } = read.values;
  const used = filter === undefined ? undefined : findNamed(filter, saved);
  if (filter !== undefined && !used) return { problem: unknownFilter(filter, saved) };
  const base = used?.search ?? defaultSearch;

  const severities = parseNames('severity', severity, known.severities);
  const types = parseNames('type', type, known.types);
  const moment = since?.toLowerCase();
  // All problems at once, so that fixing one does not reveal the next.
  const problems = [
    ...[severities.problem, problemOfChoice('status', status, statuses), types.problem],
    since === undefined || moment === lastLook ? undefined : sinceProblem(since, now, timeZone),
    problemOfChoice('sort', sort, sorts),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) {
    const isOnlyUnlisted =
      [severities, types].filter((one) => one.unlisted).length === problems.length;
    const unlisted = { severities: severities.unlisted ?? [], types: types.unlisted ?? [] };
    return { problem: problems.join('\n'), unlisted: isOnlyUnlisted ? unlisted : undefined };
  }
  const time =
    moment === undefined
      ? { since: base.since, timeZone: base.timeZone }
      : { since: moment, timeZone: isSince(moment) && isDay(moment) ? timeZone : undefined };
  const words = read.words.map(normalizeText).filter(Boolean);
  const search = {
    severities: severities.names ?? base.severities,
    status: choose(status, statuses) ?? base.status,
    types: types.names ?? base.types,
    policy: policy === undefined ? base.policy : normalizeText(policy),
    since: time.since,
    timeZone: time.timeZone,
    sort: choose(sort, sorts) ?? base.sort,
    words: [...base.words, ...words],
  };
  const checked = alertSearchSchema.safeParse(search);
  return checked.success ? { search: checked.data, used } : { problem: tooLong };
}

function findNamed(name: string, saved: readonly SavedFilter[]): SavedFilter | undefined {
  const typed = name.trim().toLowerCase();
  return saved.find((one) => one.name === typed);
}

function unknownFilter(typed: string, saved: readonly SavedFilter[]): string {
  const near = suggest(typed.toLowerCase(), [...new Set(saved.map(({ name }) => name))]);
  const hint = near ? ` Did you mean ${code(`filter:${near}`)}?` : '';
  return `No saved filter ${quoteInline(typed, 60)} for you or this channel.${hint} To list saved filters, run \`/belay alerts filters\`.`;
}

/**
 * Whether all words of a typed filter are in quotation marks, or in the saved filter that it names.
 * Another word may be meant as something else.
 */
export function isExplicit(
  typed: string,
  { search, used }: { search: AlertSearch; used?: SavedFilter | undefined },
): boolean {
  const filter = parseTypedFilter(typed, searchKeys, { hasWords: true });
  if ('problem' in filter) return false;
  const known = filter.words
    .filter((word) => word.isQuoted)
    .map(({ text }) => normalizeText(text))
    .concat(used?.search.words ?? []);
  return search.words.every((word) => known.includes(word));
}

/** Whether the text begins with a filter, with or without a key: `errors last 24h`, `severity:error`. */
export function isAlertFilter(text: string): boolean {
  const typed = parseTypedFilter(text, searchKeys, { hasWords: true });
  if ('problem' in typed)
    return searchKeys.some((key) => new RegExp(`^${key}[:=]`, 'i').test(text));
  if (Object.values(typed.values).some((one) => one !== undefined)) return true;
  const [first] = typed.words;
  const lower = first?.text.toLowerCase() ?? '';
  if (/^(?:in|and|or|&|\w)$/.test(lower) || refusedWords.includes(lower)) return false;
  return (
    first !== undefined && !first.isQuoted && hasMeaning(first.text, builtInValues, searchKeys)
  );
}

const tooLong =
  'This filter is too long, or one of its values is empty or longer than 100 characters.';

/** Drops double quotes, which can't be typed back, and control and repeated space characters. */
export function normalizeText(typed: string): string {
  return typed.replaceAll(/["“”\p{Cc}\s]+/gu, ' ').trim();
}

function choose<Choice extends string>(
  typed: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((known) => known === typed?.toLowerCase());
}

function problemOfChoice(
  key: 'status' | 'sort',
  typed: string | undefined,
  choices: readonly string[],
): string | undefined {
  const isKnown = typed === undefined || choose(typed, choices) !== undefined;
  return isKnown ? undefined : formatUnknownValue(key, typed, choices);
}

/** `problem` is mrkdwn. `unlisted`: the values that are its only cause, if the service may have them. */
type ParsedNames = { names?: string[]; problem?: string; unlisted?: string[] | undefined };

/** Names separated by commas, in the service's spelling or in words: `Policy violated`. */
function parseNames(
  key: 'severity' | 'type',
  typed: string | undefined,
  known: readonly string[],
): ParsedNames {
  if (typed === undefined) return {};
  const typedNames = typed
    .split(',')
    .map((name) => name.trim().replaceAll(/\s+/g, '_'))
    .filter(Boolean);
  if (typedNames.length === 0) return { problem: missingValueProblem(key) };
  const match = (name: string) => known.find((one) => one.toLowerCase() === name.toLowerCase());
  const unknown = typedNames.filter((name) => !match(name));
  const [firstUnknown] = unknown;
  if (firstUnknown === undefined)
    return { names: [...new Set(typedNames.flatMap((name) => match(name) ?? []))] };
  // No search holds more names, so the service is not asked for them.
  const mayExist =
    typedNames.length <= maxNames &&
    unknown.every((name) => isUsableValue(name) && !suggest(name.toLowerCase(), known));
  const problem = formatUnknownValue(key, firstUnknown, known);
  return { problem, unlisted: mayExist ? unknown : undefined };
}

function formatUnknownValue(
  key: keyof typeof nouns,
  typed: string,
  choices: readonly string[],
): string {
  const near = suggest(typed.toLowerCase(), choices);
  const hint = near ? ` Did you mean ${code(`${key}:${near}`)}?` : '';
  return `Unknown ${nouns[key]} ${quoteInline(typed, 60)}.${hint} Use ${joinWords(choices, 'or')}.`;
}

const nouns = { severity: 'severity', status: 'status', type: 'alert type', sort: 'order' };
