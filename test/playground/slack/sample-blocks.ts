import type { Button, InputBlockElement, KnownBlock, ModalView } from '@slack/types';

export const plain = (text: string) => ({ type: 'plain_text' as const, text });

export const button = (actionId: string, more: Partial<Button> = {}): Button => ({
  type: 'button',
  action_id: actionId,
  text: plain('Press'),
  ...more,
});

export const actions = (blockId: string, ...elements: Button[]): KnownBlock => ({
  type: 'actions',
  block_id: blockId,
  elements,
});

export const input = (
  blockId: string,
  element: InputBlockElement,
  optional = false,
): KnownBlock => ({
  type: 'input',
  block_id: blockId,
  label: plain('Field'),
  element,
  optional,
});

export const modal = (blocks: KnownBlock[], more: Partial<ModalView> = {}): ModalView => ({
  type: 'modal',
  callback_id: 'form',
  title: plain('Form'),
  submit: plain('Send'),
  blocks,
  ...more,
});

export const option = (value: string) => ({ text: plain(value), value });
