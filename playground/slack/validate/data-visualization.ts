import { z } from 'zod';
import { identifier } from './composition-objects.ts';

const label = z.string().min(1).max(20);
const axisTitle = z.string().min(1).max(50).optional();

/** Six, as the first version of the documentation says; a later one says twelve. */
const MAX_SERIES = 6;

const pie = z.strictObject({
  type: z.literal('pie'),
  segments: z
    .array(z.strictObject({ label, value: z.number().positive() }))
    .min(1)
    .max(MAX_SERIES),
});

const series = z.strictObject({
  name: label,
  data: z
    .array(z.strictObject({ label, value: z.number() }))
    .min(1)
    .max(20),
});

const isUnique = (texts: string[]): boolean => new Set(texts).size === texts.length;

const plot = z
  .strictObject({
    type: z.enum(['bar', 'area', 'line']),
    series: z.array(series).min(1).max(MAX_SERIES),
    axis_config: z.strictObject({
      categories: z
        .array(label)
        .min(1)
        .max(20)
        .refine(isUnique, { message: 'categories must differ' }),
      x_label: axisTitle,
      y_label: axisTitle,
    }),
  })
  .refine((chart) => isUnique(chart.series.map(({ name }) => name)), {
    message: 'names of series must differ',
    path: ['series'],
  })
  .refine(
    ({ series: all, axis_config: { categories } }) =>
      all.every(
        ({ data }) =>
          data.length === categories.length &&
          categories.every((category) => data.some((point) => point.label === category)),
      ),
    { message: 'every series must cover every category', path: ['series'] },
  );

/** https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block */
export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: identifier.optional(),
  title: z.string().min(1).max(50),
  chart: z.discriminatedUnion('type', [pie, plot]),
});

export type DataVisualizationBlock = z.infer<typeof dataVisualization>;
export type Plot = z.infer<typeof plot>;
