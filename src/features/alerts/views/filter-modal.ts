import { input } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { multiSelectElement, selectElement, textElement } from '../../../slack/ui/view-values.ts';
import { type AlertSearch, maxNames, sorts, statuses } from '../alert-search.ts';
import {
  anyTime,
  asBefore,
  filterBlocks,
  maxPolicyLength,
  maxWordsLength,
} from '../filter-form.ts';
import type { KnownValues } from '../known-values.ts';
import { capitalized, inWordsCapitalized } from './format-alert.ts';
import { sortWords, statusWords, wordsText } from './format-search.ts';
import { filterCallbackId } from './ids.ts';

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
      severalNames(filterBlocks.severity, 'Severity', known.severities, severities),
      select(filterBlocks.status, 'Status', statusChoices, status),
      severalNames(filterBlocks.type, 'Type', known.types, types),
      text(filterBlocks.policy, 'Policy', 'Its name, or a part of it.', {
        initial: policy,
        maxLength: maxPolicyLength,
      }),
      select(filterBlocks.since, 'Updated', sinceChoices, since),
      text(
        filterBlocks.words,
        'Text',
        'Words that must occur in the alert, such as the name of a volume.',
        { initial: wordsText(search.words), maxLength: maxWordsLength },
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

/** Any number of names; what the search at hand names is offered even where it is not known. */
function severalNames(
  blockId: string,
  label: string,
  known: readonly string[],
  present: readonly string[] = [],
) {
  const names = [...new Set([...known, ...present])];
  const choices = names.map((name) => ({ value: name, label: inWordsCapitalized(name) }));
  const placeholder = `Any ${label.toLowerCase()}`;
  const element = multiSelectElement(choices, present, { placeholder, maxSelected: maxNames });
  return input({ blockId, label, element, isOptional: true });
}

/** A present value that is not offered is a choice too: *Show alerts* must not change it unasked. */
function select(blockId: string, label: string, choices: Choice[], present: string = anyTime) {
  const isOffered = choices.some((choice) => choice.value === present);
  const offered = isOffered
    ? choices
    : [...choices, { value: asBefore, label: `As now: ${present}` }];
  return input({ blockId, label, element: selectElement(offered, isOffered ? present : asBefore) });
}

const sinceChoices: Choice[] = [
  { value: anyTime, label: 'At any time' },
  { value: '1h', label: 'In the last hour' },
  { value: '1d', label: 'In the last day' },
  { value: '1w', label: 'In the last week' },
  { value: '30d', label: 'In the last 30 days' },
];
