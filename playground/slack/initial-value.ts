import type { Element } from './elements.ts';
import type { ElementValue } from './protocol.ts';

const optionValues = (options: { value?: string }[] | undefined): string[] =>
  (options ?? []).flatMap((option) => (option.value === undefined ? [] : [option.value]));

/** What an element holds before anybody touches it; undefined for those that hold nothing. */
export const initialValue = (element: Element): ElementValue | undefined => {
  switch (element.type) {
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return element.initial_value ?? null;
    case 'static_select':
    case 'radio_buttons':
      return element.initial_option?.value ?? null;
    case 'multi_static_select':
    case 'checkboxes':
      return optionValues(element.initial_options);
    case 'users_select':
      return element.initial_user ?? null;
    case 'multi_users_select':
      return element.initial_users ?? [];
    case 'channels_select':
      return element.initial_channel ?? null;
    case 'multi_channels_select':
      return element.initial_channels ?? [];
    case 'conversations_select':
      return element.initial_conversation ?? null;
    case 'multi_conversations_select':
      return element.initial_conversations ?? [];
    case 'datepicker':
      return element.initial_date ?? null;
    case 'timepicker':
      return element.initial_time ?? null;
    default:
      return undefined;
  }
};

export const isEmpty = (value: ElementValue): boolean => value === null || value.length === 0;
