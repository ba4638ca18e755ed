import { parseArgs } from 'node:util';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { judge } from '../aims.ts';
import { race } from './race.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { oauth: flag, rule: flag, short: flag } });
const { oauth, rule } = values;
const figures = await race(postgresUrl, { oauth, rule });
process.stdout.write(`${JSON.stringify({ ...figures, oauth, rule })}\n`);
process.exit(judge(figures) ? 0 : 1);
