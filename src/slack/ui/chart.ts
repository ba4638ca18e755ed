/**
 * Slack's chart. Its package of types lacks it, and only messages can have one.
 * https://docs.slack.dev/reference/block-kit/blocks/data-visualization-block
 */
export type ChartBlock = {
  type: 'data_visualization';
  title: string;
  chart: {
    type: 'bar';
    series: { name: string; data: { label: string; value: number }[] }[];
    axis_config: { categories: string[] };
  };
};

/**
 * A bar chart; `title` and names are Belay's own words. Slack refuses a third chart in a message, a
 * title over 50 characters, a category or a name over 20, more than 20 categories, and a series without
 * a value for each category. The message's text has the figures too, for clients that draw no charts.
 */
export function barChart({
  title,
  categories,
  series,
}: {
  title: string;
  /** Each different, from left to right. */
  categories: string[];
  /** At most six; a value for each category. */
  series: { name: string; values: number[] }[];
}): ChartBlock {
  return {
    type: 'data_visualization',
    title,
    chart: {
      type: 'bar',
      series: series.map(({ name, values }) => ({
        name,
        data: categories.map((label, index) => ({ label, value: values[index] ?? 0 })),
      })),
      axis_config: { categories },
    },
  };
}
