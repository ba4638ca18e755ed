import type { InputBlock, PlainTextOption } from '@slack/types';
import { plain } from './blocks.ts';
import { limits } from './limits.ts';
import { type EnteredInput, inputId, type ViewValues } from './view-values.ts';

/** What people see of every field. */
type Labeled = {
  label: string;
  hint?: string | undefined;
  isOptional?: boolean;
  /** Ready for typing when the form opens; one in a form. */
  isFocused?: boolean;
};

/** A field of a form. Its id is that of its block, by which Slack sends its value and shows its error. */
export type Field<Value, Options = object> = {
  id: string;
  /** The block, filled with a value. `options` replace those that the field was declared with. */
  block(initial?: Value | undefined, options?: Partial<Options>): InputBlock;
  /** What was entered; undefined, or an empty text or list, if nothing was. */
  read(values: ViewValues): Value;
  /** Why what was entered isn't accepted. */
  check(values: ViewValues): string | undefined;
  /** Whether people write sentences in it, which they shouldn't have to write again. */
  isLongText: boolean;
};

/** A field that gets its id from its name in a form. */
export type DeclaredField<Value, Options = object> = (id: string) => Field<Value, Options>;

type Element = InputBlock['element'];

function declareField<Value, Options extends Labeled>(
  declared: Options,
  element: (initial: Value | undefined, options: Options) => Element,
  read: (input: EnteredInput) => Value,
  check: (value: Value) => string | undefined = () => undefined,
): DeclaredField<Value, Options> {
  return (id) => ({
    id,
    block(initial, shown) {
      const options = { ...declared, ...shown };
      const { label, hint, isOptional, isFocused } = options;
      return {
        type: 'input',
        block_id: id,
        label: plain(label, 2000),
        element: {
          ...element(initial, options),
          action_id: inputId,
          ...(isFocused && { focus_on_load: true }),
        },
        ...(hint && { hint: plain(hint, 2000) }),
        ...(isOptional && { optional: true }),
      };
    },
    read: (values) => read(values(id)),
    check: (values) => check(read(values(id))),
    isLongText: 'isMultiline' in declared && declared.isMultiline === true,
  });
}

type TextOptions = Labeled & {
  maxLength: number;
  isMultiline?: boolean;
  /** The error if it is blank, which Slack accepts. Only for a field that its form always has. */
  missing?: string;
};

/** Text without the spaces around it. */
export function textField(declared: TextOptions): DeclaredField<string, TextOptions> {
  return declareField(
    declared,
    (initial, { maxLength, isMultiline }) => ({
      type: 'plain_text_input',
      max_length: maxLength,
      ...(initial && { initial_value: initial }),
      ...(isMultiline && { multiline: true }),
    }),
    readText,
    (text) => (text === '' ? declared.missing : undefined),
  );
}

export function readText(input: EnteredInput): string {
  return input?.value?.trim() ?? '';
}

type NumberOptions = Labeled & {
  min: number;
  max: number;
  /** The error for anything else than a whole number in this range. */
  invalid?: string;
};

/** A whole number. NaN, which is an error, if none was entered. */
export function numberField(declared: NumberOptions): DeclaredField<number, NumberOptions> {
  return declareNumber(declared, Number.NaN);
}

/** A whole number, or nothing. */
export function optionalNumberField(
  declared: NumberOptions,
): DeclaredField<number | undefined, NumberOptions> {
  return declareNumber({ ...declared, isOptional: true }, undefined);
}

/** Slack enforces the range. The value arrives as text. */
function declareNumber<Empty extends number | undefined>(declared: NumberOptions, empty: Empty) {
  const { min, max, invalid = `Enter a whole number from ${min} to ${max}.` } = declared;
  return declareField<number | Empty, NumberOptions>(
    declared,
    (initial) => ({
      type: 'number_input',
      is_decimal_allowed: false,
      min_value: String(min),
      max_value: String(max),
      ...(initial === undefined ? {} : { initial_value: String(initial) }),
    }),
    (input) => {
      const text = readText(input);
      if (text === '') return empty;
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : Number.NaN;
    },
    (number) => (Number.isNaN(number) ? invalid : undefined),
  );
}

/** `choices` may be given when the form is shown. */
type ChoiceOptions = Labeled & { choices?: readonly { value: string; label: string }[] };

/** A menu. */
export function selectField(
  declared: ChoiceOptions,
): DeclaredField<string | undefined, ChoiceOptions> {
  return declareField(
    declared,
    (initial, options) => {
      const choices = optionsOf(options);
      const chosen = choices.find(({ value }) => value === initial);
      return {
        type: 'static_select',
        options: choices,
        ...(chosen && { initial_option: chosen }),
      };
    },
    (input) => input?.selected_option?.value,
  );
}

type MultiSelectOptions = ChoiceOptions & {
  /** Says what choosing none means. */
  placeholder?: string;
  maxSelected?: number;
};

/** A menu with several choices. */
export function multiSelectField(
  declared: MultiSelectOptions,
): DeclaredField<readonly string[], MultiSelectOptions> {
  return declareField(
    declared,
    (initial, { placeholder, maxSelected, ...options }) => ({
      type: 'multi_static_select',
      ...chosenAmong(optionsOf(options), initial),
      ...(placeholder && { placeholder: plain(placeholder, 150) }),
      ...(maxSelected && { max_selected_items: maxSelected }),
    }),
    readChoices,
  );
}

/** At most ten choices. */
export function checkboxesField(
  declared: ChoiceOptions,
): DeclaredField<readonly string[], ChoiceOptions> {
  return declareField(
    declared,
    (initial, options) => ({ type: 'checkboxes', ...chosenAmong(optionsOf(options), initial) }),
    readChoices,
  );
}

/** One box to check. */
export function checkboxField({
  choice,
  ...declared
}: Labeled & { choice: string }): DeclaredField<boolean, Labeled> {
  const choices = optionsOf({ choices: [{ value: checked, label: choice }] });
  return declareField(
    { ...declared, isOptional: true },
    (initial) => ({ type: 'checkboxes', ...chosenAmong(choices, initial ? [checked] : []) }),
    (input) => readChoices(input).includes(checked),
  );
}

const checked = 'yes';

function optionsOf({ choices = [] }: Pick<ChoiceOptions, 'choices'>): PlainTextOption[] {
  return choices.map(({ value, label }) => ({ value, text: plain(label, limits.optionText) }));
}

function chosenAmong(options: PlainTextOption[], initial: readonly string[] = []) {
  const chosen = options.filter(({ value = '' }) => initial.includes(value));
  // Slack refuses an empty list.
  return { options, ...(chosen.length > 0 && { initial_options: chosen }) };
}

export function readChoices(input: EnteredInput): string[] {
  return input?.selected_options?.map(({ value }) => value) ?? [];
}

/** Makes fields for one value that people pick. */
function pickerField(
  element: (initial: string | undefined) => Element,
  read: (input: NonNullable<EnteredInput>) => string | null | undefined,
) {
  return (declared: Labeled): DeclaredField<string | undefined, Labeled> =>
    declareField<string | undefined, Labeled>(
      declared,
      element,
      (input) => (input && read(input)) ?? undefined,
    );
}

/** `HH:MM` */
export const timeField = pickerField(
  (initial) => ({ type: 'timepicker', ...(initial && { initial_time: initial }) }),
  (input) => input.selected_time,
);

/** `YYYY-MM-DD` */
export const dateField = pickerField(
  (initial) => ({ type: 'datepicker', ...(initial && { initial_date: initial }) }),
  (input) => input.selected_date,
);

export const personField = pickerField(
  (initial) => ({ type: 'users_select', ...(initial && { initial_user: initial }) }),
  (input) => input.selected_user,
);

export const channelField = pickerField(
  (initial) => ({
    type: 'conversations_select',
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...(initial && { initial_conversation: initial }),
  }),
  (input) => input.selected_conversation,
);

export function peopleField(declared: Labeled): DeclaredField<readonly string[], Labeled> {
  return declareField(
    declared,
    (initial = []) => ({
      type: 'multi_users_select',
      // Slack refuses an empty list.
      ...(initial.length > 0 && { initial_users: [...initial] }),
    }),
    (input) => input?.selected_users ?? [],
  );
}
