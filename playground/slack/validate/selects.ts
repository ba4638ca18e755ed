import { z } from 'zod';
import {
  confirmDialog,
  identifier,
  listsChoicesOnce,
  menuChoices,
  NOT_OFFERED,
  ONE_LIST,
  offers,
  plainOption,
  plainText,
} from './composition-objects.ts';

const common = {
  action_id: identifier.optional(),
  placeholder: plainText(150).optional(),
  confirm: confirmDialog.optional(),
  focus_on_load: z.boolean().optional(),
};

const maxSelectedItems = z.number().int().min(1).optional();
const filter = z
  .strictObject({
    include: z
      .array(z.enum(['im', 'mpim', 'private', 'public']))
      .min(1)
      .optional(),
    exclude_external_shared_channels: z.boolean().optional(),
    exclude_bot_users: z.boolean().optional(),
  })
  .optional();

const staticSelect = z
  .strictObject({
    type: z.literal('static_select'),
    ...common,
    ...menuChoices,
    initial_option: plainOption.optional(),
  })
  .refine(listsChoicesOnce, ONE_LIST)
  .refine((menu) => offers(menu, menu.initial_option ? [menu.initial_option] : []), NOT_OFFERED);

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...common,
    ...menuChoices,
    initial_options: z.array(plainOption).min(1).optional(),
    max_selected_items: maxSelectedItems,
  })
  .refine(listsChoicesOnce, ONE_LIST)
  .refine((menu) => offers(menu, menu.initial_options ?? []), NOT_OFFERED);

const responseUrlEnabled = z.boolean().optional();

/** All select menus but those with external options. */
export const selects = [
  staticSelect,
  multiStaticSelect,
  z.strictObject({
    type: z.literal('users_select'),
    ...common,
    initial_user: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...common,
    initial_users: z.array(z.string()).optional(),
    max_selected_items: maxSelectedItems,
  }),
  z.strictObject({
    type: z.literal('channels_select'),
    ...common,
    initial_channel: z.string().optional(),
    response_url_enabled: responseUrlEnabled,
  }),
  z.strictObject({
    type: z.literal('multi_channels_select'),
    ...common,
    initial_channels: z.array(z.string()).optional(),
    max_selected_items: maxSelectedItems,
  }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...common,
    initial_conversation: z.string().optional(),
    default_to_current_conversation: z.boolean().optional(),
    response_url_enabled: responseUrlEnabled,
    filter,
  }),
  z.strictObject({
    type: z.literal('multi_conversations_select'),
    ...common,
    initial_conversations: z.array(z.string()).optional(),
    default_to_current_conversation: z.boolean().optional(),
    max_selected_items: maxSelectedItems,
    filter,
  }),
] as const;
