import { z } from 'zod';
import {
  confirmDialog,
  identifier,
  NOT_OFFERED,
  offers,
  overflowOption,
  plainText,
  richOption,
  webUrl,
} from './composition-objects.ts';
import { selects } from './selects.ts';

const actionId = identifier.optional();
const confirm = confirmDialog.optional();
const placeholder = plainText(150).optional();
const focusOnLoad = z.boolean().optional();
const date = z.iso.date('must be a date as YYYY-MM-DD');
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:MM');

const button = z.strictObject({
  type: z.literal('button'),
  text: plainText(75),
  action_id: actionId,
  value: z.string().max(2000).optional(),
  url: webUrl.optional(),
  style: z.enum(['primary', 'danger']).optional(),
  confirm,
  accessibility_label: z.string().max(75).optional(),
});

const overflow = z.strictObject({
  type: z.literal('overflow'),
  action_id: actionId,
  options: z.array(overflowOption).min(1).max(5),
  confirm,
});

const checkboxes = z
  .strictObject({
    type: z.literal('checkboxes'),
    action_id: actionId,
    options: z.array(richOption).min(1).max(10),
    initial_options: z.array(richOption).min(1).optional(),
    confirm,
    focus_on_load: focusOnLoad,
  })
  .refine((menu) => offers(menu, menu.initial_options ?? []), NOT_OFFERED);

const radioButtons = z
  .strictObject({
    type: z.literal('radio_buttons'),
    action_id: actionId,
    options: z.array(richOption).min(1).max(10),
    initial_option: richOption.optional(),
    confirm,
    focus_on_load: focusOnLoad,
  })
  .refine((menu) => offers(menu, menu.initial_option ? [menu.initial_option] : []), NOT_OFFERED);

const datepicker = z.strictObject({
  type: z.literal('datepicker'),
  action_id: actionId,
  initial_date: date.optional(),
  placeholder,
  confirm,
  focus_on_load: focusOnLoad,
});

const timepicker = z.strictObject({
  type: z.literal('timepicker'),
  action_id: actionId,
  initial_time: time.optional(),
  timezone: z.string().optional(),
  placeholder,
  confirm,
  focus_on_load: focusOnLoad,
});

const dispatchActionConfig = z
  .strictObject({
    trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])).min(1),
  })
  .optional();

const plainTextInput = z
  .strictObject({
    type: z.literal('plain_text_input'),
    action_id: actionId,
    initial_value: z.string().max(3000).optional(),
    multiline: z.boolean().optional(),
    min_length: z.number().int().min(0).max(3000).optional(),
    max_length: z.number().int().min(1).max(3000).optional(),
    dispatch_action_config: dispatchActionConfig,
    placeholder,
    focus_on_load: focusOnLoad,
  })
  .refine((input) => (input.min_length ?? 0) <= (input.max_length ?? 3000), {
    message: 'min_length must not exceed max_length',
  });

const typedInput = (type: 'email_text_input' | 'url_text_input') =>
  z.strictObject({
    type: z.literal(type),
    action_id: actionId,
    initial_value: z.string().optional(),
    dispatch_action_config: dispatchActionConfig,
    placeholder,
    focus_on_load: focusOnLoad,
  });

const numberInput = z.strictObject({
  type: z.literal('number_input'),
  action_id: actionId,
  is_decimal_allowed: z.boolean(),
  initial_value: z.string().optional(),
  min_value: z.string().optional(),
  max_value: z.string().optional(),
  dispatch_action_config: dispatchActionConfig,
  placeholder,
  focus_on_load: focusOnLoad,
});

export const imageElement = z.strictObject({
  type: z.literal('image'),
  image_url: webUrl,
  alt_text: z.string().max(2000),
});

const anywhere = [checkboxes, radioButtons, datepicker, timepicker, ...selects] as const;

/** The elements that an actions block can contain. */
export const actionsElement = z.discriminatedUnion('type', [button, overflow, ...anywhere]);

/** The elements that can be a section's accessory. */
export const accessory = z.discriminatedUnion('type', [
  button,
  overflow,
  imageElement,
  ...anywhere,
]);

/** The elements that an input block can contain: no button and no overflow menu. */
export const inputElement = z.discriminatedUnion('type', [
  plainTextInput,
  typedInput('email_text_input'),
  typedInput('url_text_input'),
  numberInput,
  ...anywhere,
]);
