import { z } from 'zod';

const text = z.looseObject({ text: z.string() });
const button = z.looseObject({
  type: z.literal('button'),
  action_id: z.string(),
  value: z.string(),
  accessibility_label: z.string().optional(),
});
const block = z.looseObject({
  type: z.string(),
  text: text.optional(),
  fields: z.array(text).default([]),
  accessory: z.unknown().optional(),
  elements: z.array(z.unknown()).default([]),
});

/** The elements of this kind. */
function only<T>(schema: z.ZodType<T>, elements: unknown[]): T[] {
  return elements.flatMap((element) => schema.safeParse(element).data ?? []);
}

/** All texts a reader sees in the blocks, from the top, buttons aside. */
export function textsOf(blocks: unknown[] = []): string[] {
  return z
    .array(block)
    .parse(blocks)
    .flatMap((one) => [
      ...(one.text ? [one.text] : []),
      ...one.fields,
      ...(one.type === 'context' ? only(text, one.elements) : []),
    ])
    .map((one) => one.text);
}

export function buttonsOf(blocks: unknown[] = []): z.infer<typeof button>[] {
  return z
    .array(block)
    .parse(blocks)
    .flatMap((one) => only(button, [one.accessory, ...one.elements]));
}

const cell = z.looseObject({ text: z.string() });
const table = z.looseObject({ type: z.literal('table'), rows: z.array(z.array(cell)) });

/** The rows of the tables, without their titles. */
export function rowsOf(blocks: unknown[] = []): string[][] {
  return only(table, blocks).flatMap(({ rows }) =>
    rows.slice(1).map((row) => row.map((one) => one.text)),
  );
}

const menu = z.looseObject({
  type: z.literal('static_select'),
  action_id: z.string(),
  options: z.array(z.object({ value: z.string(), text })),
});

export function menusOf(blocks: unknown[] = []): z.infer<typeof menu>[] {
  return z
    .array(block)
    .parse(blocks)
    .flatMap((one) => only(menu, one.elements));
}
