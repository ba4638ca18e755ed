import { z } from 'zod';
import { limits } from '../../slack/ui/limits.ts';
import { code } from '../../slack/ui/mrkdwn.ts';
import { suggest } from '../../slack/ui/suggest.ts';
import { parseTypedFilter } from '../../slack/ui/typed-filter.ts';
import { isDay, isSince, sinceProblem } from '../../slack/ui/typed-since.ts';
import { defaultValues, type KnownValues } from './known-values.ts';

export const statuses = ['active', 'cleared', 'all'] as const;
export const sorts = ['-updated', 'updated', '-raised', 'raised', '-severity', 'severity'] as const;

const value = z.string().min(1).max(100);

/** So many severities or types, and each so short that the menu of a form takes it. */
export const maxNames = 20;
const several = z.array(z.string().min(1).max(limits.optionValue)).min(1).max(maxNames).optional();

/** So that a search fits the value of a button, whatever characters it holds. */
const maxSearchLength = 1700;

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
  .refine((search) => JSON.stringify(search).length <= maxSearchLength);

export type AlertSearch = z.infer<typeof alertSearchSchema>;

export const defaultSearch: AlertSearch = { status: 'active', sort: '-updated', words: [] };

export const searchKeys = ['severity', 'status', 'type', 'policy', 'since', 'sort'] as const;

const example = 'For example: `/belay alerts severity:error since:2d vm-12`.';

/**
 * Reads a search as a person types it (out of Slack's escaped form); what is wrong with it comes as
 * mrkdwn. `known` are the severities and types that there are, `timeZone` is the person's.
 */
export function parseAlertSearch(
  text: string,
  now: Date,
  known: KnownValues = defaultValues,
  timeZone?: string | undefined,
): { search: AlertSearch } | { problem: string } {
  const typed = parseTypedFilter(text, searchKeys, { hasWords: true });
  if ('problem' in typed) return { problem: `${typed.problem} ${example}` };
  const { severity, status, type, policy, since, sort } = typed.values;

  const severities = readSeveral('severity', severity, known.severities);
  const types = readSeveral('type', type, known.types);
  const chosenStatus = readOne('status', status, statuses);
  const chosenSort = readOne('sort', sort, sorts);
  const moment = since?.toLowerCase();
  // All at once: whoever corrects one should not have to find the next by trying again.
  const problems = [
    ...[severities.problem, chosenStatus.problem, types.problem],
    since === undefined ? undefined : sinceProblem(since, now, timeZone),
    chosenSort.problem,
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) return { problem: problems.join('\n') };
  const search = {
    severities: severities.value,
    status: chosenStatus.value,
    types: types.value,
    policy: policy === undefined ? undefined : tidy(policy),
    since: moment,
    ...(moment !== undefined && isDay(moment) ? { timeZone } : {}),
    sort: chosenSort.value,
    words: typed.words.map(tidy).filter(Boolean),
  };
  const checked = alertSearchSchema.safeParse(search);
  return checked.success ? { search: checked.data } : { problem: tooMuch };
}

const tooMuch =
  'This filter is too long, or one of its values is empty or longer than 100 characters.';

/** Quotes cannot be typed back; what cannot be seen would only surprise. */
export function tidy(typed: string): string {
  return typed.replaceAll(/["“”\p{Cc}\s]+/gu, ' ').trim();
}

/** With a problem in mrkdwn, the value means nothing. */
type Read<Value> = { value: Value; problem?: string };

/** Without a value, the first choice. */
function readOne<Choice extends string>(
  key: 'status' | 'sort',
  typed: string | undefined,
  choices: readonly [Choice, ...Choice[]],
): Read<Choice> {
  const [usual] = choices;
  if (typed === undefined) return { value: usual };
  const choice = choices.find((one) => one === typed.toLowerCase());
  return choice ? { value: choice } : { value: usual, problem: unknown(key, typed, choices) };
}

/** Names with commas between them, in the service's spelling or in words: `Policy violated`. */
function readSeveral(
  key: 'severity' | 'type',
  typed: string | undefined,
  choices: readonly string[],
): Read<string[] | undefined> {
  if (typed === undefined) return { value: undefined };
  const names = typed.split(',').map((name) => name.trim().replaceAll(/\s+/g, '_'));
  const values = new Set<string>();
  for (const name of names.filter(Boolean)) {
    const choice = choices.find((one) => one.toLowerCase() === name.toLowerCase());
    if (!choice) return { value: undefined, problem: unknown(key, name, choices) };
    values.add(choice);
  }
  return values.size > 0
    ? { value: [...values] }
    : { value: undefined, problem: `${code(`${key}:`)} needs a value right behind the colon.` };
}

function unknown(
  key: (typeof searchKeys)[number],
  typed: string,
  choices: readonly string[],
): string {
  const near = suggest(typed.toLowerCase(), choices);
  const guess = near ? ` Did you mean ${code(`${key}:${near}`)}?` : '';
  const all = choices.map((choice) => code(choice)).join(', ');
  const isOpenSet = key === 'severity' || key === 'type';
  const elsewhere =
    isOpenSet && !near ? ' To look for any other, type it as a word, without a key before it.' : '';
  // A list that grows must not look like all there is, or the next one would contradict it.
  const choose = isOpenSet ? 'Known so far' : 'There are';
  return `Belay knows no ${key} ${code(typed, 60)}.${guess} ${choose}: ${all}.${elsewhere}`;
}
