import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { judge } from '../aims.ts';
import { type Amounts, programs, usualAmounts } from './programs.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    /** The commit with the older version of `upgrade`. */
    from: { type: 'string' },
    payloads: { type: 'string' },
    /** Sends payloads of every kind that Slack documents, instead of Belay's own. */
    foreign: { type: 'boolean', default: false },
    steps: { type: 'string' },
    workspaces: { type: 'string' },
    moments: { type: 'string' },
    short: { type: 'boolean', default: false },
    socket: { type: 'boolean', default: false },
    /** On PGlite, with the outages that apply there. */
    embedded: { type: 'boolean', default: false },
    oauth: { type: 'boolean', default: false },
    /** Runs only the outages whose name contains this text. */
    only: { type: 'string', default: '' },
    log: { type: 'string', default: 'silent' },
  },
});
const program = programs[positionals[0] ?? ''];
if (!program) {
  process.stderr.write(`Say which: npm run -s chaos -- ${Object.keys(programs).join(' | ')}\n`);
  process.exit(1);
}
const noOAuth = values.socket ? 'Socket Mode has no port for the install page' : program.noOAuth;
if (values.oauth && noOAuth) {
  process.stderr.write(`${positionals[0]} can't run with --oauth: ${noOAuth}.\n`);
  process.exit(1);
}
if (program.needsServer && !values.embedded && !postgresUrl) process.exit(await runOnPostgres());

const defaults = { ...usualAmounts, ...program.amounts };
const amountOf = (name: keyof Amounts) => Number(values[name] ?? defaults[name]);
const figures = await program.run({
  serverUrl: postgresUrl ?? '',
  seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000)),
  kills: amountOf('kills'),
  minutes: amountOf('minutes'),
  payloads: amountOf('payloads'),
  steps: amountOf('steps'),
  workspaces: amountOf('workspaces'),
  moments: amountOf('moments'),
  from: values.from,
  foreign: values.foreign,
  socket: values.socket,
  embedded: values.embedded,
  oauth: values.oauth,
  only: values.only,
  logLevel: values.log,
  part: positionals[1],
});
process.stdout.write(`${JSON.stringify({ ...figures, ...(values.oauth && { oauth: true }) })}\n`);
process.exit(judge(figures) ? 0 : 1);

/** Runs this program again with a temporary PostgreSQL server, which several replicas need. */
async function runOnPostgres(): Promise<number> {
  const { execPath, argv } = process;
  const child = spawn('sh', ['scripts/with-postgres.sh', execPath, ...argv.slice(1)], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}
