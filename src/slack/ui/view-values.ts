import type { InputBlock, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { plain } from './blocks.ts';
import { limits } from './limits.ts';

/** Each input block has one element, so the block id alone identifies the value. */
const inputId = 'input';

const element = z.object({
  value: z.string().nullish(),
  selected_option: z
    .object({ value: z.string(), text: z.object({ text: z.string().optional() }).optional() })
    .nullish(),
  selected_options: z.array(z.object({ value: z.string() })).nullish(),
  selected_time: z.string().nullish(),
  selected_date: z.string().nullish(),
  selected_user: z.string().nullish(),
  selected_users: z.array(z.string()).nullish(),
  selected_conversation: z.string().nullish(),
});

/** `view.state.values` of a submission. */
export const viewStateSchema = z.preprocess(
  // Slack may send an empty list for "no fields".
  (state) => (Array.isArray(state) && state.length === 0 ? {} : state),
  z.record(z.string(), z.record(z.string(), element)),
);

/**
 * The values of a submitted form by block id; undefined for empty and absent inputs.
 * https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload#view_submission
 */
export type ViewValues = {
  text: (blockId: string) => string | undefined;
  option: (blockId: string) => string | undefined;
  /** The label of the chosen option. It comes from the person's client: only show it. */
  optionText: (blockId: string) => string | undefined;
  options: (blockId: string) => string[];
  /** `HH:MM` */
  time: (blockId: string) => string | undefined;
  /** `YYYY-MM-DD` */
  date: (blockId: string) => string | undefined;
  user: (blockId: string) => string | undefined;
  users: (blockId: string) => string[];
  conversation: (blockId: string) => string | undefined;
};

export function parseViewValues(state: unknown): ViewValues {
  const parsed = viewStateSchema.parse(state);
  const at = (blockId: string) => parsed[blockId]?.[inputId];
  return {
    text: (blockId) => at(blockId)?.value?.trim() || undefined,
    option: (blockId) => at(blockId)?.selected_option?.value ?? undefined,
    optionText: (blockId) => at(blockId)?.selected_option?.text?.text,
    options: (blockId) => at(blockId)?.selected_options?.map(({ value }) => value) ?? [],
    time: (blockId) => at(blockId)?.selected_time ?? undefined,
    date: (blockId) => at(blockId)?.selected_date ?? undefined,
    user: (blockId) => at(blockId)?.selected_user ?? undefined,
    users: (blockId) => at(blockId)?.selected_users ?? [],
    conversation: (blockId) => at(blockId)?.selected_conversation ?? undefined,
  };
}

type Element = InputBlock['element'];

export function textElement(options: {
  maxLength: number;
  initial?: string | undefined;
  isMultiline?: boolean;
}): Element {
  return {
    type: 'plain_text_input',
    action_id: inputId,
    max_length: options.maxLength,
    ...(options.initial ? { initial_value: options.initial } : {}),
    ...(options.isMultiline ? { multiline: true } : {}),
  };
}

/** Slack enforces a whole number from `min` to `max`. The value arrives as text. */
export function numberElement(options: {
  min: number;
  max: number;
  initial?: string | undefined;
}): Element {
  return {
    type: 'number_input',
    action_id: inputId,
    is_decimal_allowed: false,
    min_value: String(options.min),
    max_value: String(options.max),
    ...(options.initial ? { initial_value: options.initial } : {}),
  };
}

/** The element that is ready for typing when the form opens; one in a form. */
export function focused<Focusable extends Element>(element: Focusable) {
  return { ...element, focus_on_load: true };
}

type Choice = { value: string; label: string };

export function selectElement(choices: Choice[], initial?: string | undefined): Element {
  const options = choices.map(optionOf);
  const chosen = options.find((option) => option.value === initial);
  return {
    type: 'static_select',
    action_id: inputId,
    options,
    ...(chosen ? { initial_option: chosen } : {}),
  };
}

/** A menu with several choices. `placeholder` says what choosing none means. */
export function multiSelectElement(
  choices: Choice[],
  initial: readonly string[],
  { placeholder, maxSelected }: { placeholder?: string; maxSelected?: number } = {},
): Element {
  const options = choices.map(optionOf);
  return {
    type: 'multi_static_select',
    action_id: inputId,
    options,
    ...initialOf(options, initial),
    ...(placeholder ? { placeholder: plain(placeholder, 150) } : {}),
    ...(maxSelected ? { max_selected_items: maxSelected } : {}),
  };
}

/** At most ten choices. */
export function checkboxesElement(choices: Choice[], initial: readonly string[]): Element {
  const options = choices.map(optionOf);
  return { type: 'checkboxes', action_id: inputId, options, ...initialOf(options, initial) };
}

function optionOf({ value, label }: Choice): PlainTextOption {
  return { value, text: plain(label, limits.optionText) };
}

function initialOf(options: PlainTextOption[], initial: readonly string[]) {
  const chosen = options.filter(({ value = '' }) => initial.includes(value));
  // Slack refuses an empty list.
  return chosen.length > 0 ? { initial_options: chosen } : {};
}

/** `initial` is `HH:MM`. */
export function timeElement(initial: string | undefined): Element {
  return {
    type: 'timepicker',
    action_id: inputId,
    ...(initial ? { initial_time: initial } : {}),
  };
}

/** `initial` is `YYYY-MM-DD`. */
export function dateElement(initial: string | undefined): Element {
  return {
    type: 'datepicker',
    action_id: inputId,
    ...(initial ? { initial_date: initial } : {}),
  };
}

export function personElement(initial: string | undefined): Element {
  return {
    type: 'users_select',
    action_id: inputId,
    ...(initial ? { initial_user: initial } : {}),
  };
}

export function peopleElement(initial: string[]): Element {
  return {
    type: 'multi_users_select',
    action_id: inputId,
    ...(initial.length > 0 ? { initial_users: initial } : {}),
  };
}

export function channelElement(initial: string | undefined): Element {
  return {
    type: 'conversations_select',
    action_id: inputId,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(initial ? { initial_conversation: initial } : {}),
  };
}
