import type { Plot } from '../../slack/validate/data-visualization.ts';

const LEFT = 34;
const RIGHT = 340;
const TOP = 10;
const BOTTOM = 158;
/** Room for one label below the plot. */
const LABEL_WIDTH = 44;

/** The drawing of a bar, line or area chart, inside a `viewBox` of 360 × 180. */
export function ChartPlot({ chart: { type, series, axis_config } }: { chart: Plot }) {
  const { categories } = axis_config;
  const values = series.flatMap(({ data }) => data.map(({ value }) => value));
  const low = Math.min(0, ...values);
  const high = Math.max(low + 1, ...values);
  const yOf = (value: number) => BOTTOM - ((value - low) / (high - low)) * (BOTTOM - TOP);
  const slot = (RIGHT - LEFT) / categories.length;
  const middleOf = (index: number) => LEFT + slot * (index + 0.5);
  const every = Math.ceil((categories.length * LABEL_WIDTH) / (RIGHT - LEFT));
  const barWidth = (slot * 0.7) / series.length;
  const valuesOf = (data: Plot['series'][number]['data']) =>
    categories.map((label) => data.find((point) => point.label === label)?.value ?? 0);
  const lineOf = (shown: number[]) =>
    shown.map((value, index) => `${middleOf(index)},${yOf(value)}`).join(' ');

  return (
    <g>
      {[low, (low + high) / 2, high].map((value) => (
        <g key={value} className="chart-grid">
          <line x1={LEFT} x2={RIGHT} y1={yOf(value)} y2={yOf(value)} />
          <text x={LEFT - 4} y={yOf(value) + 4} textAnchor="end">
            {Number.isInteger(value) ? shorten(value) : ''}
          </text>
        </g>
      ))}
      {categories.map((label, index) =>
        // Counted from the right, so that the last one always has its label.
        (categories.length - 1 - index) % every === 0 ? (
          <text key={label} x={middleOf(index)} y={174} textAnchor="middle">
            {label}
          </text>
        ) : undefined,
      )}
      {series.map(({ name, data }, at) => {
        const shown = valuesOf(data);
        const from = (index: number) => middleOf(index) - (barWidth * series.length) / 2;
        return (
          <g key={name} data-series={at}>
            {type === 'bar' &&
              shown.map((value, index) => (
                <rect
                  key={categories[index]}
                  x={from(index) + at * barWidth}
                  y={Math.min(yOf(value), yOf(0))}
                  width={barWidth}
                  height={Math.abs(yOf(value) - yOf(0))}
                />
              ))}
            {type === 'area' && (
              <polygon
                points={`${middleOf(0)},${yOf(0)} ${lineOf(shown)} ${middleOf(shown.length - 1)},${yOf(0)}`}
              />
            )}
            {type !== 'bar' && <polyline points={lineOf(shown)} />}
          </g>
        );
      })}
    </g>
  );
}

/** "1.2M": what fits beside the axis. The figures in words are exact. */
function shorten(value: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact' }).format(value);
}
