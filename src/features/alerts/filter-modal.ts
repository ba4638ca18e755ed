import { input } from '../../slack/blocks.ts';
import { encodeValue } from '../../slack/codec.ts';
import { formModal, type ModalView } from '../../slack/modal.ts';
import { selectElement, textElement } from '../../slack/view-values.ts';
import { type AlertSearch, sorts, statuses } from './alert-search.ts';
import { sortWords, statusWords, wordsText } from './alert-search-text.ts';
import { any, asBefore, filterBlocks, longestPolicy, longestWords } from './filter-form.ts';
import { filterCallbackId } from './ids.ts';
import type { KnownValues } from './known-values.ts';
import { capitalized, inWords, inWordsCapitalized } from './words.ts';

type Choice = { value: string; label: string };

/** A search for those who would rather choose than type; it begins with the one at hand. */
export function filterModal(
  search: AlertSearch,
  known: KnownValues,
  channelId: string | undefined,
): ModalView {
  const { severities, status, types, policy, since, sort } = search;
  const statusChoices = statuses.map((one) => ({ value: one, label: statusWords[one] }));
  const sortChoices = sorts.map((one) => ({ value: one, label: capitalized(sortWords[one]) }));
  return formModal({
    title: 'Filter alerts',
    callbackId: filterCallbackId,
    submit: 'Show alerts',
    metadata: encodeValue({ channelId, search }),
    blocks: [
      select(filterBlocks.severity, 'Severity', severityChoices(known.severities), severities),
      select(filterBlocks.status, 'Status', statusChoices, status),
      select(filterBlocks.type, 'Type', withAny('Any type', known.types.map(named)), types),
      text(filterBlocks.policy, 'Policy', 'Its name, or a part of it.', {
        initial: policy,
        maxLength: longestPolicy,
      }),
      select(filterBlocks.since, 'Updated', withAny('At any time', sinceChoices), since),
      text(
        filterBlocks.words,
        'Text',
        'Words that must occur in the alert, such as the name of a volume.',
        { initial: wordsText(search.words), maxLength: longestWords },
      ),
      select(filterBlocks.sort, 'Order', sortChoices, sort),
    ],
  });
}

function text(
  blockId: string,
  label: string,
  hint: string,
  { initial, maxLength }: { initial: string | undefined; maxLength: number },
) {
  const element = textElement({ maxLength, initial: initial?.slice(0, maxLength) });
  return input({ blockId, label, hint, element, isOptional: true });
}

/** A present value that is not offered is a choice too: *Show alerts* must not change it unasked. */
function select(
  blockId: string,
  label: string,
  choices: Choice[],
  present: string | string[] | undefined,
) {
  const value = [present ?? any].flat().join(',');
  const isOffered = choices.some((choice) => choice.value === value);
  const kept = {
    value: asBefore,
    label: `As now: ${[present ?? ''].flat().map(inWords).join(', ')}`,
  };
  const offered = isOffered ? choices : [...choices, kept];
  return input({ blockId, label, element: selectElement(offered, isOffered ? value : asBefore) });
}

function withAny(label: string, choices: Choice[]): Choice[] {
  return [{ value: any, label }, ...choices];
}

function named(name: string): Choice {
  return { value: name, label: inWordsCapitalized(name) };
}

/** Each severity, and each two together. */
function severityChoices(names: readonly string[]): Choice[] {
  const pairs = names
    .slice(0, mostPaired)
    .flatMap((one, index) => names.slice(index + 1, mostPaired).map((other) => [one, other]))
    .map((pair) => ({
      value: pair.join(','),
      label: pair.map(inWordsCapitalized).join(' or ').slice(0, 75),
    }));
  return withAny('Any severity', [...names.map(named), ...pairs]);
}

/** So that pairs do not fill the menu where a service has many severities. */
const mostPaired = 4;

const sinceChoices: Choice[] = [
  { value: '1h', label: 'In the last hour' },
  { value: '1d', label: 'In the last day' },
  { value: '1w', label: 'In the last week' },
  { value: '30d', label: 'In the last 30 days' },
];
