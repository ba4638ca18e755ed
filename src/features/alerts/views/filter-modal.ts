import { input } from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { formModal, type ModalView } from '../../../slack/ui/modal.ts';
import { multiSelectElement, selectElement, textElement } from '../../../slack/ui/view-values.ts';
import { capitalize } from '../../../slack/ui/words.ts';
import { type AlertSearch, maxNames, sorts, statuses } from '../alert-search.ts';
import {
  anyTime,
  currentSince,
  filterBlocks,
  maxPolicyLength,
  maxWordsLength,
} from '../filter-form.ts';
import type { AlertValues } from '../known-values.ts';
import { humanizeCapitalized } from './format-alert.ts';
import { formatWords, sortLabels, statusLabels } from './format-search.ts';
import { filterCallbackId } from './ids.ts';

type Choice = { value: string; label: string };

/** A form for a search, filled with the current one. */
export function filterModal(
  search: AlertSearch,
  known: AlertValues,
  channelId: string | undefined,
): ModalView {
  const { severities, status, types, policy, since, sort } = search;
  const statusChoices = statuses.map((value) => ({ value, label: statusLabels[value] }));
  const sortChoices = sorts.map((value) => ({ value, label: capitalize(sortLabels[value]) }));
  return formModal({
    title: 'Filter alerts',
    callbackId: filterCallbackId,
    submit: 'Show alerts',
    metadata: encodeValue({ channelId, search }),
    blocks: [
      namesInput(filterBlocks.severity, 'Severity', known.severities, severities),
      selectInput(filterBlocks.status, 'Status', statusChoices, status),
      namesInput(filterBlocks.type, 'Type', known.types, types),
      textInput(filterBlocks.policy, 'Policy', 'Its name, or a part of it.', {
        initial: policy,
        maxLength: maxPolicyLength,
      }),
      selectInput(filterBlocks.since, 'Updated', sinceChoices, since),
      textInput(
        filterBlocks.words,
        'Text',
        'Words that must occur in the alert, such as the name of a volume.',
        { initial: formatWords(search.words), maxLength: maxWordsLength },
      ),
      selectInput(filterBlocks.sort, 'Order', sortChoices, sort),
    ],
  });
}

function textInput(
  blockId: string,
  label: string,
  hint: string,
  { initial, maxLength }: { initial: string | undefined; maxLength: number },
) {
  const element = textElement({ maxLength, initial: initial?.slice(0, maxLength) });
  return input({ blockId, label, hint, element, isOptional: true });
}

/** A menu of names. Names of the current search are offered even if they are not known. */
function namesInput(
  blockId: string,
  label: string,
  known: readonly string[],
  current: readonly string[] = [],
) {
  const names = [...new Set([...known, ...current])];
  const choices = names.map((name) => ({ value: name, label: humanizeCapitalized(name) }));
  const placeholder = `Any ${label.toLowerCase()}`;
  const element = multiSelectElement(choices, current, { placeholder, maxSelected: maxNames });
  return input({ blockId, label, element, isOptional: true });
}

/** Offers the current value even if it is not in the menu, so that *Show alerts* does not change it. */
function selectInput(blockId: string, label: string, choices: Choice[], current: string = anyTime) {
  const isOffered = choices.some((choice) => choice.value === current);
  const offered = isOffered
    ? choices
    : [...choices, { value: currentSince, label: `As now: ${current}` }];
  return input({
    blockId,
    label,
    element: selectElement(offered, isOffered ? current : currentSince),
  });
}

const sinceChoices: Choice[] = [
  { value: anyTime, label: 'At any time' },
  { value: '1h', label: 'In the last hour' },
  { value: '1d', label: 'In the last day' },
  { value: '1w', label: 'In the last week' },
  { value: '30d', label: 'In the last 30 days' },
];
