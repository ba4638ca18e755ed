import { isReached } from '../aims.ts';
import { benches, commandOf } from '../benches.ts';
import type { BenchmarkRecord, BenchmarkRecords, Machine } from './benchmark-record.ts';
import type { FigureTable } from './figure-table.ts';

const introduction = `# Benchmarks

\`npm run -s bench -- all --write\` writes this page from the results in \`benchmarks.json\`, and \`npm run -s bench -- <name> --write\` measures one benchmark again and replaces its part. The programs that are compared take turns, each in its own process. Each figure is the median of all rounds. A ratio (×) is Belay's figure divided by the other's: the median of the ratios per round, because both figures of a round are measured under the same load. It can differ from the ratio of the medians in a table. Use an idle machine. A benchmark fails if it misses an aim; \`--rounds 1\` is a quick check, not a result.`;

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
  return `${[introduction, '## Aims', renderTable({ columns, rows }), ...sections].join('\n\n')}\n`;
}

function renderSection(name: string, record: BenchmarkRecord): string {
  const section = benches[name]?.section;
  const settings = Object.entries(record.settings).map(
    ([setting, value]) => `${words(setting)}: ${format(value)}`,
  );
  return [
    `## ${section?.title ?? name}`,
    ...(section ? [section.about] : []),
    ['```sh', commandOf(name), '```'].join('\n'),
    `Measured on ${record.date} at commit ${record.commit}, on ${describe(record.machine)}.`,
    ...(settings.length > 0 ? [`${settings.join(' · ')}.`] : []),
    ...record.tables.map(renderTable),
  ].join('\n\n');
}

function describe({ cores, cpu, memoryGb, os, node, postgres }: Machine): string {
  const versions = [os, `Node ${node}`, ...(postgres ? [`PostgreSQL ${postgres}`] : [])];
  return `${cores} cores (${cpu}), ${memoryGb} GB of memory, ${versions.join(', ')}`;
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
