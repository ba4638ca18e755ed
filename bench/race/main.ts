import { parseArgs } from 'node:util';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { race } from './race.ts';

const { values } = parseArgs({ options: { oauth: { type: 'boolean', default: false } } });
const { oauth } = values;
const figures = await race(postgresUrl, { oauth });
process.stdout.write(`${JSON.stringify({ ...figures, oauth })}\n`);
process.exit(figures.violations.length > 0 ? 1 : 0);
