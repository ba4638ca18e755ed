import type {
  ActionsBlockElement,
  InputBlock,
  InputBlockElement,
  KnownBlock,
  SectionBlock,
} from '@slack/types';
import type { MessageBlock } from './protocol.ts';

type Accessory = NonNullable<SectionBlock['accessory']>;
export type Element = ActionsBlockElement | InputBlockElement | Accessory;

/** An interactive element with the ids that payloads identify it by. */
export type PlacedElement = {
  blockId: string;
  actionId: string;
  element: Element;
  /** The input block that contains it, if any. */
  input?: InputBlock;
};

type IdSource = () => string;

const withActionId = <T extends Element>(element: T, giveId: IdSource): T =>
  element.type === 'image' || ('action_id' in element && element.action_id !== undefined)
    ? element
    : { ...element, action_id: giveId() };

/** Adds ids to blocks and elements without one, as Slack does. */
export function withIds(blocks: KnownBlock[], giveId: IdSource): KnownBlock[];
export function withIds(blocks: MessageBlock[], giveId: IdSource): MessageBlock[];
export function withIds(blocks: MessageBlock[], giveId: IdSource): MessageBlock[] {
  return blocks.map((given) => {
    const block = { ...given, block_id: given.block_id ?? giveId() };
    if (block.type === 'actions') {
      return { ...block, elements: block.elements.map((one) => withActionId(one, giveId)) };
    }
    if (block.type === 'input') return { ...block, element: withActionId(block.element, giveId) };
    if (block.type === 'section' && block.accessory) {
      return { ...block, accessory: withActionId(block.accessory, giveId) };
    }
    return block;
  });
}

const elementsOf = (block: MessageBlock): Element[] => {
  if (block.type === 'actions') return block.elements;
  if (block.type === 'input') return [block.element];
  if (block.type === 'section' && block.accessory) return [block.accessory];
  return [];
};

export const placedElements = (blocks: MessageBlock[]): PlacedElement[] =>
  blocks.flatMap((block) =>
    elementsOf(block).flatMap((element) => {
      if (!('action_id' in element) || element.action_id === undefined) return [];
      if (block.block_id === undefined) return [];
      const placed = { blockId: block.block_id, actionId: element.action_id, element };
      return [block.type === 'input' ? { ...placed, input: block } : placed];
    }),
  );
