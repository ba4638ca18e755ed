import type { Hour } from './hour.ts';

const size = { width: 640, panel: 210, left: 88, right: 20, top: 76, between: 34 };
const text = { title: 24, label: 20 };
const palette = ['#0b6e99', '#c2410c'];

type Line = { name: string; values: number[] };
type Panel = { title: string; unit: string; lines: Line[] };

/** Three panels below each other, with letters that can be read on a phone. */
export function drawDay(
  hours: Hour[],
  { workspaces, replicas }: { workspaces: number; replicas: number },
): string {
  const panels: Panel[] = [
    {
      title: 'Statements a second',
      unit: '',
      lines: [{ name: '', values: hours.map((hour) => hour.statementsPerSecond) }],
    },
    {
      title: 'Processor cores',
      unit: '',
      lines: [
        { name: 'Belay', values: hours.map((hour) => hour.belayCores) },
        { name: 'PostgreSQL', values: hours.map((hour) => hour.postgresCores) },
      ],
    },
    {
      title: 'Delay, 99th percentile',
      unit: ' s',
      lines: [
        { name: 'Polls', values: hours.map((hour) => hour.pollLateSeconds.p99) },
        { name: 'Digests', values: hours.map((hour) => hour.digestLateSeconds.p99) },
      ],
    },
  ];
  const height = size.top + panels.length * (size.panel + size.between) + 30;
  const drawn = panels.map((panel, index) =>
    drawPanel(panel, size.top + index * (size.panel + size.between)),
  );
  const heading = `${workspaces.toLocaleString('en-US')} workspaces, ${replicas} processes`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" font-family="system-ui, sans-serif" role="img" aria-label="A simulated day with ${heading}">
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="36" font-size="${text.title}" font-weight="600" fill="#111">${heading}</text>
${drawn.join('\n')}
<text x="${size.width / 2}" y="${height - 12}" font-size="${text.label}" text-anchor="middle" fill="#444">Hour of the day, UTC</text>
</svg>
`;
}

function drawPanel({ title, unit, lines }: Panel, top: number): string {
  const plot = { top: top + 34, bottom: top + size.panel - 26 };
  const maxValue = Math.max(...lines.flatMap(({ values }) => values.filter(Number.isFinite)), 0);
  const max = niceMax(maxValue);
  const x = (hour: number) => size.left + (hour * (size.width - size.left - size.right)) / 23;
  const y = (value: number) => plot.bottom - (value / max) * (plot.bottom - plot.top);
  const grid = [0, max / 2, max].map(
    (value) =>
      `<line x1="${size.left}" x2="${size.width - size.right}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/><text x="${size.left - 8}" y="${y(value) + 7}" font-size="${text.label}" text-anchor="end" fill="#444">${format(value)}${unit}</text>`,
  );
  const ticks = [0, 6, 12, 18, 23].map(
    (hour) =>
      `<text x="${x(hour)}" y="${plot.bottom + 24}" font-size="${text.label}" text-anchor="middle" fill="#444">${hour}</text>`,
  );
  const drawn = lines.map(({ values }, index) => drawLine(values, { x, y }, palette[index] ?? ''));
  const names = lines
    .filter(({ name }) => name)
    .map(
      ({ name }, index) =>
        `<tspan fill="${palette[index]}" dx="14" font-weight="600">${name}</tspan>`,
    );
  return [
    `<text x="16" y="${top + 16}" font-size="${text.label}" fill="#111">${title}${names.join('')}</text>`,
    ...grid,
    ...ticks,
    ...drawn,
  ].join('\n');
}

/** A line through the hours that have a value, with a point at each. */
function drawLine(
  values: number[],
  { x, y }: { x: (hour: number) => number; y: (value: number) => number },
  color: string,
): string {
  const points = values.flatMap((value, hour) =>
    Number.isFinite(value) ? [{ at: x(hour).toFixed(1), to: y(value).toFixed(1) }] : [],
  );
  const path = points.map(({ at, to }) => `${at},${to}`).join(' ');
  const dots = points.map(({ at, to }) => `<circle cx="${at}" cy="${to}" r="4" fill="${color}"/>`);
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="3"/>${dots.join('')}`;
}

function niceMax(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((one) => one >= value) ?? value;
}

function format(value: number): string {
  return value >= 1000 ? `${value / 1000}k` : String(value);
}
