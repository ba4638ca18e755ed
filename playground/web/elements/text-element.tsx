import type { EmailInput, NumberInput, PlainTextInput, URLInput } from '@slack/types';
import type { ChangeEvent, KeyboardEvent } from 'react';
import { useElement } from './use-element.ts';

type TextInput = PlainTextInput | EmailInput | URLInput | NumberInput;
type Props = { element: TextInput; blockId: string; label: string | undefined };

const keyboards = {
  plain_text_input: undefined,
  email_text_input: 'email',
  url_text_input: 'url',
  number_input: 'decimal',
} as const;

export function TextElement({ element, blockId, label }: Props) {
  const placeholder = element.placeholder?.text;
  const { text, value, hold, dispatch, isDispatching, isRequired, isBusy, naming, tabIndex } =
    useElement(element, blockId, label ?? placeholder);
  const isMultiline = element.type === 'plain_text_input' && element.multiline === true;
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? ['on_enter_pressed'];

  const control = {
    ...naming,
    tabIndex,
    className: 'text-input',
    placeholder,
    value: text,
    'aria-busy': isBusy,
    'aria-required': isRequired,
    maxLength: element.type === 'plain_text_input' ? element.max_length : undefined,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      const next = event.target.value || null;
      hold(next);
      if (triggers.includes('on_character_entered')) dispatch(next, value);
    },
    onKeyDown: (event: KeyboardEvent) => {
      const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing;
      // With Ctrl or Cmd, Enter submits the modal around it.
      const isForField = isEnter && !event.ctrlKey && !event.metaKey;
      if (!isForField || isMultiline || !isDispatching) return;
      event.preventDefault();
      if (triggers.includes('on_enter_pressed')) dispatch(value, value);
    },
  };
  if (isMultiline) return <textarea {...control} rows={4} />;
  return <input {...control} type="text" autoComplete="off" inputMode={keyboards[element.type]} />;
}
