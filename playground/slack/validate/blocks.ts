import { z } from 'zod';
import { anyText, identifier, plainText, webUrl } from './composition-objects.ts';
import { dataVisualization } from './data-visualization.ts';
import { accessory, actionsElement, imageElement, inputElement } from './elements.ts';
import { richText } from './rich-text.ts';

const blockId = identifier.optional();

const section = z
  .strictObject({
    type: z.literal('section'),
    block_id: blockId,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: accessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, {
    message: 'must have text or fields',
  });

const header = z.strictObject({
  type: z.literal('header'),
  block_id: blockId,
  text: plainText(150),
  level: z.number().int().min(1).max(4).optional(),
});

const divider = z.strictObject({ type: z.literal('divider'), block_id: blockId });

const image = z.strictObject({
  type: z.literal('image'),
  block_id: blockId,
  image_url: webUrl,
  alt_text: z.string().min(1).max(2000),
  title: plainText(2000).optional(),
});

const contextElement = z.discriminatedUnion('type', [...anyText(3000).options, imageElement]);
const context = z.strictObject({
  type: z.literal('context'),
  block_id: blockId,
  elements: z.array(contextElement).min(1).max(10),
});

const actions = z.strictObject({
  type: z.literal('actions'),
  block_id: blockId,
  elements: z.array(actionsElement).min(1).max(25),
});

const input = z.strictObject({
  type: z.literal('input'),
  block_id: blockId,
  label: plainText(2000),
  element: inputElement,
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
});

const markdown = z.strictObject({
  type: z.literal('markdown'),
  block_id: blockId,
  text: z.string().min(1).max(12_000),
});

/** https://docs.slack.dev/reference/block-kit/blocks/table-block */
const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  richText,
]);
const column = z.strictObject({
  align: z.enum(['left', 'center', 'right']).optional(),
  is_wrapped: z.boolean().optional(),
});
const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId,
  rows: z.array(z.array(cell).min(1).max(20)).min(1).max(100),
  column_settings: z.array(column.nullable()).max(20).optional(),
});

const everywhere = [section, header, divider, image, context, actions, input, richText] as const;

export const messageBlock = z.discriminatedUnion('type', [
  ...everywhere,
  markdown,
  table,
  dataVisualization,
]);

export const modalBlock = z.discriminatedUnion('type', everywhere);
