import { useId } from 'react';
import type { DataVisualizationBlock } from '../../slack/validate/data-visualization.ts';
import { ChartPlot } from './chart-plot.tsx';

/** A chart with its figures in words for those who can't see it. A pie has only its words. */
export function ChartBlockBody({ block }: { block: DataVisualizationBlock }) {
  const id = useId();
  const { title, chart } = block;
  if (chart.type === 'pie') {
    return (
      <figure className="chart-block">
        <figcaption>{title}</figcaption>
        <ul className="chart-legend">
          {chart.segments.map(({ label, value }) => (
            <li key={label}>{`${label}: ${value}`}</li>
          ))}
        </ul>
      </figure>
    );
  }
  const figures = chart.series.map(
    ({ name, data }) =>
      `${name}: ${data.map(({ label, value }) => `${label} ${value}`).join(', ')}.`,
  );
  const { x_label, y_label } = chart.axis_config;
  const axes = [x_label && `Horizontal: ${x_label}.`, y_label && `Vertical: ${y_label}.`];
  return (
    <figure className="chart-block">
      <figcaption>{title}</figcaption>
      <svg
        viewBox="0 0 360 180"
        role="img"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-figures`}
      >
        <title id={`${id}-title`}>{`${title} (${chart.type} chart)`}</title>
        <desc id={`${id}-figures`}>{[...axes, ...figures].filter(Boolean).join(' ')}</desc>
        <ChartPlot chart={chart} />
      </svg>
      <ul className="chart-legend" aria-hidden="true">
        {chart.series.map(({ name }, index) => (
          <li key={name} data-series={index}>
            {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}
