import { parseArgs } from 'node:util';
import { z } from 'zod';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { type Judged, judge } from '../aims.ts';
import { amount, isShort } from '../read-options.ts';
import { checkModel } from './check-model.ts';
import { measureCosts } from './measure-costs.ts';
import { readCosts, writeCosts } from './measured-costs.ts';
import { reportDay } from './report-day.ts';
import { writeBlock, writeChart } from './write-docs.ts';

const { values } = parseArgs({
  options: {
    workspaces: { type: 'string', default: '100000' },
    replicas: { type: 'string' },
    seed: { type: 'string', default: '1' },
    measure: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    calibrate: { type: 'string', default: String(amount(300, 50)) },
    sizes: { type: 'string', default: isShort ? '50' : '100,1000,5000' },
    short: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const toCount = (text: string) => z.coerce.number().int().min(1).parse(text);
const result = await run();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(judge(result) ? 0 : 1);

async function run(): Promise<object & Judged> {
  if (values.measure) {
    const costs = await measureCosts(serverUrl(), { workspaces: toCount(values.calibrate) });
    if (!isShort) writeCosts(costs);
    return costs;
  }
  if (values.check) {
    const checked = await checkModel(serverUrl(), {
      calibrateAt: toCount(values.calibrate),
      sizes: values.sizes.split(',').map(toCount),
    });
    process.stdout.write(`${checked.table}\n`);
    if (values.write) writeBlock('check', checked.documented);
    return { ...checked.result, aims: checked.aims };
  }
  const { tables, details, chart, result } = reportDay(readCosts(), {
    workspaces: toCount(values.workspaces),
    replicas: values.replicas === undefined ? undefined : toCount(values.replicas),
    seed: toCount(values.seed),
  });
  for (const table of [...Object.values(details), ...Object.values(tables)]) {
    process.stdout.write(`${table}\n\n`);
  }
  if (values.write) {
    for (const [name, table] of Object.entries(tables)) writeBlock(name, table);
    writeChart(chart);
  }
  return result;
}

function serverUrl(): string {
  if (postgresUrl) return postgresUrl;
  throw new Error('needs PostgreSQL: sh scripts/with-postgres.sh npm run -s simulate -- …');
}
