import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { postgresUrl } from '../../scripts/postgres-url.ts';
import { chaosDigests } from '../digest/chaos-digests.ts';
import { chaosHome } from '../home/chaos-home.ts';
import { chaosOutages } from '../outages/chaos-outages.ts';
import { chaosPolicies } from '../policies/chaos-policies.ts';
import { chaosPolicyWatches } from '../policy-watches/chaos-policy-watches.ts';
import { chaosStorm } from '../storm/storm.ts';
import { chaosUpgrade } from '../upgrade/chaos-upgrade.ts';
import { chaosApprovals } from './approvals.ts';
import { chaosBulk } from './bulk/chaos-bulk.ts';
import { chaosInstallations } from './installations/main.ts';
import { chaosPayloads } from './payloads.ts';

type Options = {
  serverUrl: string;
  kills: number;
  seed: number;
  minutes: number;
  from: string | undefined;
  payloads: number;
  foreign: boolean;
  socket: boolean;
  embedded: boolean;
  /** Belay is installed with OAuth, with tokens that rotate, instead of with a bot token. */
  oauth: boolean;
  only: string;
  logLevel: string;
  /** One part of `installations`, which runs all of them without it. */
  part: string | undefined;
  steps: number | undefined;
  workspaces: number | undefined;
  moments: number | undefined;
};
type Program = {
  run: (options: Options) => Promise<{ violations: string[] }>;
  needsServer: boolean;
  /** The default number of kills, if not 200. */
  kills?: number;
  /** The default number of minutes, if not 5. */
  minutes?: number;
  /** Why it has no `--oauth`. */
  noOAuth?: string;
};

const programs: Record<string, Program> = {
  approvals: { run: chaosApprovals, needsServer: true },
  outages: { run: chaosOutages, needsServer: true },
  digests: { run: chaosDigests, needsServer: true },
  payloads: { run: chaosPayloads, needsServer: true },
  bulk: { run: chaosBulk, needsServer: true, kills: 50 },
  home: { run: chaosHome, needsServer: true, kills: 20 },
  upgrade: { run: chaosUpgrade, needsServer: true, minutes: 10 },
  storm: { run: chaosStorm, needsServer: false },
  policies: { run: chaosPolicies, needsServer: true, kills: 100 },
  'policy-watches': { run: chaosPolicyWatches, needsServer: true, kills: 20 },
  installations: {
    ...{ run: chaosInstallations, needsServer: true, kills: 100 },
    noOAuth: 'its workspaces always install Belay with OAuth',
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    /** The commit with the older version of `upgrade`. */
    from: { type: 'string' },
    payloads: { type: 'string', default: '100000' },
    /** Sends payloads of every kind that Slack documents, instead of Belay's own. */
    foreign: { type: 'boolean', default: false },
    steps: { type: 'string' },
    workspaces: { type: 'string' },
    moments: { type: 'string' },
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

const figures = await program.run({
  serverUrl: postgresUrl ?? '',
  kills: Number(values.kills ?? program.kills ?? 200),
  seed: Number(values.seed ?? Math.floor(Math.random() * 1_000_000)),
  minutes: Number(values.minutes ?? program.minutes ?? 5),
  from: values.from,
  payloads: Number(values.payloads),
  foreign: values.foreign,
  socket: values.socket,
  embedded: values.embedded,
  oauth: values.oauth,
  only: values.only,
  logLevel: values.log,
  part: positionals[1],
  steps: optionalNumber(values.steps),
  workspaces: optionalNumber(values.workspaces),
  moments: optionalNumber(values.moments),
});
process.stdout.write(`${JSON.stringify({ ...figures, ...(values.oauth && { oauth: true }) })}\n`);
process.exit(figures.violations.length > 0 ? 1 : 0);

function optionalNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

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
