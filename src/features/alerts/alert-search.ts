import { z } from 'zod';
import { limits } from '../../slack/limits.ts';
import { code } from '../../slack/mrkdwn.ts';
import { nearestOf, parseTypedFilter } from '../../slack/typed-filter.ts';
import { isDay, isSince, isToCome } from '../../slack/typed-since.ts';
import { type KnownValues, usualValues } from './known-values.ts';

export const statuses = ['active', 'cleared', 'all'] as const;
export const sorts = ['-updated', 'updated', '-raised', 'raised', '-severity', 'severity'] as const;

const value = z.string().min(1).max(100);

/** So many severities or types, and each so short that the menu of a form takes it. */
export const mostNames = 20;
const several = z.array(z.string().min(1).max(limits.optionValue)).min(1).max(mostNames).optional();

/** So that a search fits the value of a button, whatever characters it holds. */
const longestSearch = 1700;

/**
 * Which alerts are wished for, and in which order: to be stored as it is, or carried by a button.
 * "Active" is whatever is not cleared. All words must occur in what the list shows of an alert.
 */
export const alertSearchSchema = z
  .object({
    severities: several,
    status: z.enum(statuses),
    types: several,
    /** Part of the policy's name, or its id. */
    policy: value.optional(),
    /** Updated since then: an age, which moves with time, or a day. */
    since: z.string().refine(isSince).optional(),
    /** Where that day is meant; without it, a day of UTC. */
    timeZone: z.string().max(60).optional(),
    sort: z.enum(sorts),
    words: z.array(value),
  })
  .refine((search) => JSON.stringify(search).length <= longestSearch);

export type AlertSearch = z.infer<typeof alertSearchSchema>;

export const usualSearch: AlertSearch = { status: 'active', sort: '-updated', words: [] };

const keys = ['severity', 'status', 'type', 'policy', 'since', 'sort'] as const;

const example = 'For example: `/belay alerts severity:error since:2d vm-12`.';

/**
 * Reads a search as a person types it (out of Slack's escaped form); what is wrong with it comes as
 * mrkdwn. `known` are the severities and types that there are, `timeZone` is the person's.
 */
export function parseAlertSearch(
  text: string,
  now: Date,
  known: KnownValues = usualValues,
  timeZone?: string | undefined,
): { search: AlertSearch } | { problem: string } {
  const typed = parseTypedFilter(text, keys, { hasWords: true });
  if ('problem' in typed) return { problem: `${typed.problem} ${example}` };
  const { severity, status, type, policy, since, sort } = typed.values;

  const severities = readSeveral('severity', severity, known.severities);
  if ('problem' in severities) return severities;
  const types = readSeveral('type', type, known.types);
  if ('problem' in types) return types;
  const [chosenStatus, chosenSort] = [readOne(status, statuses), readOne(sort, sorts)];
  if (!chosenStatus) return { problem: unknown('status', status ?? '', statuses) };
  if (!chosenSort) return { problem: unknown('sort', sort ?? '', sorts) };
  const moment = since?.toLowerCase();
  if (moment !== undefined && !isSince(moment)) return { problem: unclearSince };
  if (moment !== undefined && isToCome(moment, now, timeZone)) {
    return { problem: `${code(`since:${moment}`)} is still to come. ${unclearSince}` };
  }
  const search = {
    severities: severities.values,
    status: chosenStatus,
    types: types.values,
    policy: policy === undefined ? undefined : tidy(policy),
    since: moment,
    ...(moment !== undefined && isDay(moment) ? { timeZone } : {}),
    sort: chosenSort,
    words: typed.words.map(tidy).filter(Boolean),
  };
  const checked = alertSearchSchema.safeParse(search);
  return checked.success ? { search: checked.data } : { problem: tooMuch };
}

const unclearSince =
  'After `since:` comes an age such as `2h`, `2d` or `1w`, or a day such as `2026-11-01`.';
const tooMuch =
  'This filter is too long, or one of its values is empty or longer than 100 characters.';

/** Quotes cannot be typed back; what cannot be seen would only surprise. */
export function tidy(typed: string): string {
  return typed.replaceAll(/["“”\p{Cc}\s]+/gu, ' ').trim();
}

/** Without a value, the first choice. */
function readOne<Choice extends string>(
  typed: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (typed === undefined) return choices[0];
  return choices.find((choice) => choice === typed.toLowerCase());
}

/** Names with commas between them, in the service's spelling or in words: `Policy violated`. */
function readSeveral(
  key: 'severity' | 'type',
  typed: string | undefined,
  choices: readonly string[],
): { values: string[] | undefined } | { problem: string } {
  if (typed === undefined) return { values: undefined };
  const names = typed.split(',').map((name) => name.trim().replaceAll(/\s+/g, '_'));
  const values = new Set<string>();
  for (const name of names.filter(Boolean)) {
    const choice = choices.find((one) => one.toLowerCase() === name.toLowerCase());
    if (!choice) return { problem: unknown(key, name, choices) };
    values.add(choice);
  }
  return values.size > 0
    ? { values: [...values] }
    : { problem: `${code(`${key}:`)} needs a value right behind the colon.` };
}

function unknown(key: (typeof keys)[number], typed: string, choices: readonly string[]): string {
  const near = nearestOf(typed.toLowerCase(), choices);
  const guess = near ? ` Did you mean ${code(`${key}:${near}`)}?` : '';
  const all = choices.map((choice) => code(choice)).join(', ');
  const isOpenSet = key === 'severity' || key === 'type';
  const elsewhere =
    isOpenSet && !near ? ' To look for any other, type it as a word, without a key before it.' : '';
  return `Belay knows no ${key} ${code(typed, 60)}.${guess} There are: ${all}.${elsewhere}`;
}
