import { isReached } from '../aims.ts';
import { benches } from '../benches.ts';
import type { BenchmarkRecord, BenchmarkRecords, Machine } from './benchmark-record.ts';
import type { FigureTable } from './figure-table.ts';

const introduction = `# Benchmarks

\`npm run -s bench -- all --write\` writes this page from [benchmarks.json](benchmarks.json), which has further figures, dates and commits; [testing](testing.md#speed) says how to run each. The programs that are compared take turns, each in its own process. A figure is the median of all rounds; a ratio (×), Belay's figure divided by the other's, is the median of the ratios per round.`;

/** The text of docs/benchmarks.md. */
export function renderReport(records: BenchmarkRecords): string {
  const names = Object.keys(benches).filter((name) => records[name] !== undefined);
  const measured = names.flatMap((name) => {
    const record = records[name];
    return record ? [{ name, record }] : [];
  });
  const rows = measured.flatMap(({ name, record }) =>
    record.aims.map((aim) => [
      name,
      aim.name,
      Number.isNaN(aim.value) ? 'not measured' : `${format(aim.value)} ${aim.unit}`,
      `${aim.bound} ${format(aim.limit)} ${aim.unit}`,
      isReached(aim) ? 'reached' : '**missed**',
    ]),
  );
  const columns = ['Benchmark', 'Figure', 'Measured', 'Aim', 'Result'];
  const sections = measured.map(({ name, record }) => renderSection(name, record));
  const machines = [...new Set(measured.map(({ record }) => describe(record.machine)))];
  const parts = [
    `${introduction} Measured on ${machines.join('; ')}.`,
    '## Aims',
    renderTable({ columns, rows }),
    ...sections,
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderSection(name: string, record: BenchmarkRecord): string {
  const section = benches[name]?.section;
  const settings = Object.entries(record.settings).map(
    ([setting, value]) => `${words(setting)}: ${format(value)}`,
  );
  return [
    `## ${section?.title ?? name}`,
    ...(section ? [section.about] : []),
    ...(settings.length > 0 ? [`${settings.join(' · ')}.`] : []),
    ...(section?.showsTables ? record.tables.map(renderTable) : []),
  ].join('\n\n');
}

/** Without builds and patch levels of the system, which say nothing to a reader. */
function describe({ cores, cpu, memoryGb, os, node, postgres }: Machine): string {
  const nameOf = (text: string) => text.split(' ')[0];
  const database = postgres ? [`PostgreSQL ${nameOf(postgres)}`] : [];
  return [`${cores} cores (${cpu})`, `${memoryGb} GB of memory`, nameOf(os), `Node ${node}`]
    .concat(database)
    .join(', ');
}

function renderTable({ columns, rows }: FigureTable): string {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => format(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n');
}

/** 100,000; text stays as it is. */
function format(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : value;
}

/** "at once" for `atOnce` */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
