import type { ConversationsSelect, MultiConversationsSelect } from '@slack/types';
import type { Element } from './elements.ts';
import type { ElementValue } from './protocol.ts';

const optionValues = (options: { value?: string }[] | undefined): string[] =>
  (options ?? []).flatMap((option) => (option.value === undefined ? [] : [option.value]));

/** The value of an untouched element; undefined for elements without a value. */
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

/** The ids that people and conversation menus offer a person. */
export type MenuChoices = { people: string[]; channels: string[]; conversations: string[] };

/** An element's entry in `state.values`, without its `type`. */
type ElementState = Record<string, unknown>;
export type ElementStateResult = { ok: true; fields: ElementState } | { ok: false; reason: string };

const refuse = (reason: string): ElementStateResult => ({ ok: false, reason });
const accept = (key: string, value: unknown): ElementStateResult => ({
  ok: true,
  fields: { [key]: value },
});

const singleValue = (value: ElementValue): string | null | undefined => {
  if (Array.isArray(value)) return undefined;
  return value === '' ? null : value;
};
const multipleValues = (value: ElementValue): string[] | undefined => {
  if (Array.isArray(value)) return value;
  return value === null ? [] : undefined;
};

type Option = { value?: string };
type Menu = { options?: Option[]; option_groups?: { options: Option[] }[] };

const optionsOf = (menu: Menu): Option[] =>
  menu.options ?? menu.option_groups?.flatMap((group) => group.options) ?? [];

const pickOption = (menu: Menu, value: ElementValue): ElementStateResult => {
  const chosen = singleValue(value);
  if (chosen === undefined) return refuse('takes one option');
  if (chosen === null) return accept('selected_option', null);
  const option = optionsOf(menu).find((offered) => offered.value === chosen);
  return option ? accept('selected_option', option) : refuse(`does not offer ${chosen}`);
};

const tooMany = (chosen: string[], max: number | undefined): boolean =>
  max !== undefined && chosen.length > max;

const pickOptions = (menu: Menu & { max_selected_items?: number }, value: ElementValue) => {
  const chosen = multipleValues(value);
  if (!chosen) return refuse('takes a list of options');
  if (tooMany(chosen, menu.max_selected_items)) return refuse('takes fewer options');
  const offered = optionsOf(menu);
  const unknown = chosen.find((each) => !offered.some((option) => option.value === each));
  if (unknown !== undefined) return refuse(`does not offer ${unknown}`);
  // Slack lists selected options in the order of the options, not of the clicks.
  const selected = offered.filter((option) => chosen.includes(option.value ?? ''));
  return accept('selected_options', selected);
};

const pickId = (key: string, ids: string[], value: ElementValue): ElementStateResult => {
  const chosen = singleValue(value);
  if (chosen === undefined) return refuse('takes one choice');
  if (chosen !== null && !ids.includes(chosen)) return refuse(`does not offer ${chosen}`);
  return accept(key, chosen);
};

const pickIds = (
  key: string,
  ids: string[],
  value: ElementValue,
  max?: number,
): ElementStateResult => {
  const chosen = multipleValues(value);
  if (!chosen) return refuse('takes a list of choices');
  if (tooMany(chosen, max)) return refuse('takes fewer choices');
  const unknown = chosen.find((each) => !ids.includes(each));
  return unknown === undefined ? accept(key, chosen) : refuse(`does not offer ${unknown}`);
};

/** A filter's `include` leaves out the kinds of conversation that it does not list. */
const allowedConversations = (
  { filter }: ConversationsSelect | MultiConversationsSelect,
  { channels, conversations }: MenuChoices,
): string[] => {
  const include = filter?.include;
  if (!include) return conversations;
  const direct = conversations.filter((id) => !channels.includes(id));
  return [
    ...(include.includes('public') ? channels : []),
    ...(include.includes('im') ? direct : []),
  ];
};

const acceptText = (key: string, value: ElementValue, shape?: RegExp): ElementStateResult => {
  const written = singleValue(value);
  if (written === undefined) return refuse('takes one text');
  if (written !== null && shape && !shape.test(written)) return refuse('takes another form');
  return accept(key, written);
};

/** The state of an element with this value, or why Slack would not accept the value. */
export const elementStateFor = (
  element: Element,
  value: ElementValue,
  pickable: MenuChoices,
): ElementStateResult => {
  switch (element.type) {
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return acceptText('value', value);
    case 'static_select':
    case 'radio_buttons':
    case 'overflow':
      return pickOption(element, value);
    case 'multi_static_select':
    case 'checkboxes':
      return pickOptions(element, value);
    case 'users_select':
      return pickId('selected_user', pickable.people, value);
    case 'multi_users_select':
      return pickIds('selected_users', pickable.people, value, element.max_selected_items);
    case 'channels_select':
      return pickId('selected_channel', pickable.channels, value);
    case 'multi_channels_select':
      return pickIds('selected_channels', pickable.channels, value, element.max_selected_items);
    case 'conversations_select':
      return pickId('selected_conversation', allowedConversations(element, pickable), value);
    case 'multi_conversations_select':
      return pickIds(
        'selected_conversations',
        allowedConversations(element, pickable),
        value,
        element.max_selected_items,
      );
    case 'datepicker':
      return acceptText('selected_date', value, /^\d{4}-\d{2}-\d{2}$/);
    case 'timepicker':
      return acceptText('selected_time', value, /^([01]\d|2[0-3]):[0-5]\d$/);
    default:
      return refuse('holds no value');
  }
};
