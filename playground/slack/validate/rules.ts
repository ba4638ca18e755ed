import { z } from 'zod';
import { type Problem, problem } from './problem.ts';

/** The fields that the rules below read. Each block has been validated by itself. */
const looseElement = z.looseObject({
  type: z.string(),
  action_id: z.string().optional(),
  focus_on_load: z.boolean().optional(),
});
const looseBlock = z.looseObject({
  type: z.string(),
  block_id: z.string().optional(),
  text: z.unknown().optional(),
  element: looseElement.optional(),
  accessory: looseElement.optional(),
  elements: z.array(z.unknown()).optional(),
  rows: z.unknown().optional(),
});
type LooseBlock = z.infer<typeof looseBlock>;

const placedElements = (block: LooseBlock) => {
  const listed = block.type === 'actions' ? (block.elements ?? []) : [];
  return [
    ...(block.element ? [{ at: '/element', element: block.element }] : []),
    ...(block.accessory ? [{ at: '/accessory', element: block.accessory }] : []),
    ...listed.flatMap((one, index) => {
      const parsed = looseElement.safeParse(one);
      return parsed.success ? [{ at: `/elements/${index}`, element: parsed.data }] : [];
    }),
  ];
};

const blockIdsDiffer = (blocks: LooseBlock[], base: string): Problem[] => {
  const seen = new Set<string>();
  return blocks.flatMap(({ block_id }, index) => {
    if (block_id === undefined) return [];
    if (seen.has(block_id)) {
      return [problem(`${base}/${index}/block_id`, `duplicate block_id: ${block_id}`)];
    }
    seen.add(block_id);
    return [];
  });
};

/** Action ids must be unique within a block. */
const actionIdsDiffer = (blocks: LooseBlock[], base: string): Problem[] =>
  blocks.flatMap((block, index) => {
    const seen = new Set<string>();
    return placedElements(block).flatMap(({ at, element: { action_id } }) => {
      if (action_id === undefined) return [];
      if (seen.has(action_id)) {
        return [problem(`${base}/${index}${at}/action_id`, `duplicate action_id: ${action_id}`)];
      }
      seen.add(action_id);
      return [];
    });
  });

const oneFocus = (blocks: LooseBlock[], base: string): Problem[] =>
  blocks
    .flatMap((block, index) =>
      placedElements(block)
        .filter(({ element }) => element.focus_on_load === true)
        .map(({ at }) =>
          problem(`${base}/${index}${at}`, 'only one element may have focus_on_load'),
        ),
    )
    .slice(1);

const markdownLength = (blocks: LooseBlock[], base: string): Problem[] => {
  const texts = blocks.filter((block) => block.type === 'markdown').map((block) => block.text);
  const total = texts.reduce(
    (sum: number, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
  return total > 12_000 ? [problem(base, 'markdown blocks must be 12000 characters in all')] : [];
};

/** The characters of all texts, at any depth of blocks, cells and rich text. */
export const textLength = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? value.text.length : 0;
  return Object.values(value).reduce((sum: number, part) => sum + textLength(part), own);
};

const tableLength = (blocks: LooseBlock[], base: string): Problem[] =>
  textLength(blocks.filter(({ type }) => type === 'table').map(({ rows }) => rows)) > 10_000
    ? [problem(base, 'tables must be 10000 characters in all')]
    : [];

const chartCount = (blocks: LooseBlock[], base: string): Problem[] =>
  blocks.filter(({ type }) => type === 'data_visualization').length > 2
    ? [problem(base, 'at most two data_visualization blocks')]
    : [];

/** Rules across blocks: unique ids, one focused input, total length of markdown and of tables, charts. */
export const crossBlockProblems = (value: unknown, base: string): Problem[] => {
  const parsed = z.array(looseBlock).safeParse(value);
  if (!parsed.success) return [];
  const rules = [
    ...[blockIdsDiffer, actionIdsDiffer, oneFocus],
    ...[markdownLength, tableLength, chartCount],
  ];
  return rules.flatMap((rule) => rule(parsed.data, base));
};

export const hasInput = (value: unknown): boolean => {
  const parsed = z.array(looseBlock).safeParse(value);
  return parsed.success && parsed.data.some((block) => block.type === 'input');
};
