import type { KnownBlock } from '@slack/types';
import type { ElementValue, FormValues, MessageBlock } from '../slack/protocol.ts';

type BlockElement =
  | Extract<KnownBlock, { type: 'actions' }>['elements'][number]
  | Extract<KnownBlock, { type: 'input' }>['element']
  | NonNullable<Extract<KnownBlock, { type: 'section' }>['accessory']>;

/** The initial values of all inputs. */
export function initialValues(blocks: MessageBlock[]): FormValues {
  const values: FormValues = {};
  for (const block of blocks) {
    for (const element of elementsOf(block)) {
      const value = initialValue(element);
      if (value === undefined || !('action_id' in element)) continue;
      const ofBlock = values[block.block_id ?? ''] ?? {};
      values[block.block_id ?? ''] = { ...ofBlock, [element.action_id ?? '']: value };
    }
  }
  return values;
}

/**
 * Slack's rule for an updated view: the value of an input with the same block id and action id stays,
 * and every other input gets its initial value.
 */
export function keepTyped(typed: FormValues, blocks: MessageBlock[]): FormValues {
  const fresh = initialValues(blocks);
  return Object.fromEntries(
    Object.entries(fresh).map(([blockId, ofBlock]) => [
      blockId,
      Object.fromEntries(
        Object.entries(ofBlock).map(([actionId, initial]) => {
          const held = typed[blockId]?.[actionId];
          return [actionId, held === undefined ? initial : held];
        }),
      ),
    ]),
  );
}

export function withValue(
  values: FormValues,
  blockId: string,
  actionId: string,
  value: ElementValue,
): FormValues {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: value } };
}

function elementsOf(block: MessageBlock): BlockElement[] {
  switch (block.type) {
    case 'input':
      return [block.element];
    case 'actions':
      return block.elements;
    case 'section':
      return block.accessory ? [block.accessory] : [];
    default:
      return [];
  }
}

/** Undefined for elements without a value, such as buttons. */
function initialValue(element: BlockElement): ElementValue | undefined {
  switch (element.type) {
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return element.initial_value ?? null;
    case 'static_select':
    case 'radio_buttons':
      return element.initial_option?.value ?? null;
    case 'users_select':
      return element.initial_user ?? null;
    case 'channels_select':
      return element.initial_channel ?? null;
    case 'conversations_select':
      return element.initial_conversation ?? null;
    case 'datepicker':
      return element.initial_date ?? null;
    case 'timepicker':
      return element.initial_time ?? null;
    case 'checkboxes':
    case 'multi_static_select':
      return (element.initial_options ?? []).map(({ value }) => value ?? '');
    case 'multi_users_select':
      return element.initial_users ?? [];
    case 'multi_channels_select':
      return element.initial_channels ?? [];
    case 'multi_conversations_select':
      return element.initial_conversations ?? [];
    default:
      return undefined;
  }
}
