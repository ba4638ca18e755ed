import { parseArgs } from 'node:util';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { judge } from '../aims.ts';
import { race } from './race.ts';
import { raceOwners } from './race-owners.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { oauth: flag, rule: flag, desk: flag, short: flag } });
const { oauth, rule, desk } = values;
const figures = desk
  ? await raceOwners(postgresUrl)
  : { ...(await race(postgresUrl, { oauth, rule })), oauth, rule };
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(judge(figures) ? 0 : 1);
