import { parseArgs } from 'node:util';
import { z } from 'zod';
import { postgresUrl } from '../../scripts/postgres-url.ts';
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
    calibrate: { type: 'string', default: '300' },
    sizes: { type: 'string', default: '100,1000,5000' },
    write: { type: 'boolean', default: false },
  },
});
const toCount = (text: string) => z.coerce.number().int().min(1).parse(text);
const result = await run();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(result.violations.length > 0 ? 1 : 0);

async function run(): Promise<{ violations: string[] }> {
  if (values.measure) {
    const costs = await measureCosts(serverUrl(), { workspaces: toCount(values.calibrate) });
    writeCosts(costs);
    return { ...costs, violations: [] };
  }
  if (values.check) {
    const checked = await checkModel(serverUrl(), {
      calibrateAt: toCount(values.calibrate),
      sizes: values.sizes.split(',').map(toCount),
    });
    process.stdout.write(`${checked.table}\n`);
    if (values.write) writeBlock('check', checked.table);
    return { ...checked.result, violations: checked.violations };
  }
  const { tables, chart, result } = reportDay(readCosts(), {
    workspaces: toCount(values.workspaces),
    replicas: values.replicas === undefined ? undefined : toCount(values.replicas),
    seed: toCount(values.seed),
  });
  for (const [name, table] of Object.entries(tables)) {
    process.stdout.write(`${table}\n\n`);
    if (values.write) writeBlock(name, table);
  }
  if (values.write) writeChart(chart);
  return { ...result, violations: [] };
}

function serverUrl(): string {
  if (postgresUrl) return postgresUrl;
  throw new Error('needs PostgreSQL: sh scripts/with-postgres.sh npm run -s simulate -- …');
}
