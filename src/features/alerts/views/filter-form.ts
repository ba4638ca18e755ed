import { thisPlace } from '../../../slack/api/channel.ts';
import { Refusal } from '../../../slack/interactions/interaction.ts';
import { type KnownBlock, notice } from '../../../slack/ui/blocks.ts';
import { defineForm, type Entered, type FormErrors } from '../../../slack/ui/form.ts';
import { multiSelectField, selectField, textField } from '../../../slack/ui/form-fields.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { splitWords } from '../../../slack/ui/typed-filter.ts';
import { isDay, isDayName, isSince } from '../../../slack/ui/typed-since.ts';
import { capitalize, plural } from '../../../slack/ui/words.ts';
import {
  type AlertSearch,
  alertSearchSchema,
  defaultSearch,
  lastLook,
  maxNames,
  maxValueLength,
  normalizeText,
  sorts,
  statuses,
} from '../alert-search.ts';
import type { AlertValues } from '../known-values.ts';
import { maxNameLength } from '../saved/filter-name.ts';
import { humanizeCapitalized } from './format-alert.ts';
import { formatWords, sortLabels, statusLabels } from './format-search.ts';
import { filterMetadata } from './ids.ts';

/** The menu values for "at any time" and for a `since` that is not one of the menu's own choices. */
export const anyTime = '*';
export const currentSince = '=';

/** Fits the words of any search. */
const maxWordsLength = 2000;

/** The fields of a filter. `filterInputs` shows them. */
export const filterFields = {
  severity: multiSelectField({
    label: 'Severity',
    placeholder: 'Any severity',
    maxSelected: maxNames,
    isOptional: true,
  }),
  status: selectField({ label: 'Status' }),
  type: multiSelectField({
    label: 'Type',
    placeholder: 'Any type',
    maxSelected: maxNames,
    isOptional: true,
  }),
  policy: textField({
    label: 'Policy',
    hint: 'The name of a policy, or a part of that name.',
    maxLength: maxValueLength,
    isOptional: true,
  }),
  since: selectField({ label: 'Updated' }),
  words: textField({
    label: 'Text',
    hint: 'Words that an alert must contain, for example the name of a volume.',
    maxLength: maxWordsLength,
    isOptional: true,
  }),
  sort: selectField({ label: 'Order' }),
};
export const filterForm = defineForm('alerts.filter', {
  metadata: filterMetadata,
  fields: {
    ...filterFields,
    saveAs: textField({
      label: 'Save as',
      hint: 'One word. /belay alerts with this word then lists these alerts.',
      maxLength: maxNameLength,
      isOptional: true,
    }),
    saveFor: selectField({ label: 'Save for' }),
  },
});
type EnteredFilter = Omit<Entered<typeof filterForm.fields>, 'saveAs' | 'saveFor'>;

/** A form for a search, filled with the current one. */
export function filterModal(
  search: AlertSearch,
  known: AlertValues,
  channelId: string | undefined,
): ModalView {
  const { saveAs, saveFor } = filterForm.fields;
  const mine = { value: saveForPerson, label: 'Me' };
  const choices =
    channelId === undefined
      ? [mine]
      : [mine, { value: saveForChannel, label: capitalize(thisPlace(channelId)) }];
  return filterForm.modal({
    title: 'Filter alerts',
    submit: 'Filter',
    metadata: { channelId, search },
    blocks: [
      ...filterInputs(search, known),
      saveAs.block(),
      saveFor.block(saveForPerson, { choices }),
    ],
  });
}

const saveForPerson = 'person';
export const saveForChannel = 'channel';

type Choice = { value: string; label: string };

/**
 * The fields of a filter, filled with a search. Without `hasListOptions`, status, time and order are
 * left out. The first field has the focus, for modals that begin with it.
 */
export function filterInputs(
  search: AlertSearch,
  known: AlertValues,
  {
    hasListOptions = true,
    hasFocus = true,
    needsSeverity = false,
  }: { hasListOptions?: boolean; hasFocus?: boolean; needsSeverity?: boolean } = {},
): KnownBlock[] {
  const { severities = [], status, types = [], policy, since, sort } = search;
  const { fields } = filterForm;
  const statusChoices = statuses.map((value) => ({ value, label: statusLabels[value] }));
  const sortChoices = sorts.map((value) => ({ value, label: capitalize(sortLabels[value]) }));
  const words = formatWords(search.words).slice(0, maxWordsLength);
  const list = (blocks: KnownBlock[]) => (hasListOptions ? blocks : []);
  return [
    fields.severity.block(severities, {
      choices: namesToChoose(known.severities, severities),
      isFocused: hasFocus,
      isOptional: !needsSeverity,
    }),
    ...list([selectInput(fields.status, statusChoices, status)]),
    fields.type.block(types, { choices: namesToChoose(known.types, types) }),
    fields.policy.block(policy?.slice(0, maxValueLength)),
    ...list([selectInput(fields.since, sinceChoices, since ?? anyTime)]),
    fields.words.block(words),
    ...list([selectInput(fields.sort, sortChoices, sort)]),
  ];
}

/** Names of the current search are offered even if they are not known. */
function namesToChoose(known: readonly string[], current: readonly string[]): Choice[] {
  const names = [...new Set([...known, ...current])];
  return names.map((name) => ({ value: name, label: humanizeCapitalized(name) }));
}

/** Offers the current value even if it is not in the menu, so that submitting does not change it. */
function selectInput(
  field: typeof filterForm.fields.since,
  choices: Choice[],
  current: string,
): KnownBlock {
  if (choices.some(({ value }) => value === current)) return field.block(current, { choices });
  const added = { value: currentSince, label: formatSince(current) };
  return field.block(currentSince, { choices: [...choices, added] });
}

const sinceChoices: Choice[] = [
  { value: anyTime, label: 'Any time' },
  { value: lastLook, label: 'Since I last looked' },
  { value: '1h', label: 'Last hour' },
  { value: '1d', label: 'Last day' },
  { value: '1w', label: 'Last week' },
  { value: '30d', label: 'Last 30 days' },
];

const units = new Map([
  ['h', 'hour'],
  ['d', 'day'],
  ['w', 'week'],
]);

/** "Last 10 weeks", "Since Monday" or "Since 2026-11-01" */
function formatSince(since: string): string {
  if (isDayName(since)) {
    const isWeekday = since.endsWith('day') && since !== 'today' && since !== 'yesterday';
    return `Since ${isWeekday ? capitalize(since) : since}`;
  }
  if (isDay(since)) return `Since ${since}`;
  return `Last ${plural(Number.parseInt(since, 10), units.get(since.slice(-1)) ?? '')}`;
}

/** For a filter that is longer than a form or a button can carry: error messages by field id. */
export const filterTooLong = {
  words: 'This filter is too long. Choose fewer values, or use fewer words.',
};

/**
 * The search that was entered, or error messages by field id, with the search that was `rejected`.
 * Fields that a form leaves out have their default.
 */
export function readFilter(
  { severity, status, type, policy, since, words, sort }: EnteredFilter,
  current: AlertSearch = defaultSearch,
): { search: AlertSearch } | { errors: FormErrors; rejected: AlertSearch } {
  const read = {
    severities: chosenNames(severity),
    status: statuses.find((known) => known === status) ?? defaultSearch.status,
    types: chosenNames(type),
    policy: normalizeText(policy) || undefined,
    ...chosenSince(since, current),
    sort: sorts.find((known) => known === sort) ?? defaultSearch.sort,
    words: splitWords(words).map(normalizeText).filter(Boolean),
  };
  const checked = alertSearchSchema.safeParse(read);
  if (checked.success) return { search: checked.data };
  const isLongWord = read.words.some(({ length }) => length > maxValueLength);
  const error = `At most ${maxValueLength} characters for each word.`;
  return { errors: isLongWord ? { words: error } : filterTooLong, rejected: read };
}

export function checkFilter(entered: EnteredFilter, current?: AlertSearch): FormErrors {
  const read = readFilter(entered, current);
  return 'errors' in read ? read.errors : {};
}

/** @throws Refusal for what `checkFilter` finds */
export function enteredSearch(entered: EnteredFilter, current?: AlertSearch): AlertSearch {
  const read = readFilter(entered, current);
  if ('search' in read) return read.search;
  throw new Refusal(notice(Object.values(read.errors).join('\n')));
}

/**
 * Which alerts a search finds, whenever and in whichever order: status, time and order are dropped.
 * Names are sorted, so that the same filter is recognized in any order.
 */
export function withoutListOptions({ severities, types, policy, words }: AlertSearch): AlertSearch {
  return {
    ...defaultSearch,
    severities: severities?.toSorted(),
    types: types?.toSorted(),
    policy,
    words,
  };
}

/** Nothing chosen means no filter, as in a typed search without the key. */
function chosenNames(chosen: readonly string[]): string[] | undefined {
  return chosen.length > 0 ? [...chosen] : undefined;
}

function chosenSince(
  chosen: string | undefined,
  { since, timeZone, lookedAt }: AlertSearch,
): Pick<AlertSearch, 'since' | 'timeZone' | 'lookedAt'> {
  if (chosen === currentSince) return { since, timeZone };
  // A list that is filtered again keeps its moment.
  if (chosen === lastLook)
    return { since: lastLook, lookedAt: since === lastLook ? lookedAt : undefined };
  return { since: chosen !== undefined && isSince(chosen) ? chosen : undefined };
}
