import { postgresUrl } from '../../scripts/postgres-url.ts';
import { race } from './race.ts';

const figures = await race(postgresUrl);
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(figures.violations.length > 0 ? 1 : 0);
