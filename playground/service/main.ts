import { parseArgs } from 'node:util';
import type { Dialect } from '../../src/dataprotection/dialects/dialect.ts';
import { dialectOptions, readDialect } from './dialect-options.ts';
import { type ReferenceService, startReferenceService } from './start-service.ts';

const defaultPort = '4400';
const maxPort = 65_535 - 3;

await main();

async function main(): Promise<void> {
  const choices = readChoices();
  if (typeof choices === 'string') return fail(choices);
  const service = await start(choices);
  if (!service) return;

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void service.close());
  }
  const portals = service.portals.map(({ id, label, baseUrl, token, organizationalUnits }) => ({
    id,
    label,
    baseUrl,
    token,
    organizationalUnits,
  }));
  console.log(JSON.stringify({ dialect: service.dialect, admin: service.admin, portals }));
}

type Choices = { port: number; dialect: Dialect };

/** The parsed command line, or a usage message. */
function readChoices(): Choices | string {
  const ports = `the first of four ports as --port N, N from 1 to ${maxPort}`;
  const usage = `Give ${ports}, and --dialect documented or --dialect live.`;
  try {
    const options = { port: { type: 'string', default: defaultPort }, ...dialectOptions } as const;
    const { port, ...chosen } = parseArgs({ options }).values;
    const isPort = /^[1-9]\d{0,4}$/.test(port) && Number(port) <= maxPort;
    return isPort ? { port: Number(port), dialect: readDialect(chosen) } : usage;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return `${usage} (${reason})`;
  }
}

async function start({ port, dialect }: Choices): Promise<ReferenceService | undefined> {
  try {
    return await startReferenceService({ port, dialect, admin: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    fail(`Ports ${port} to ${port + 3} must all be free (${reason}). Choose another with --port.`);
    return undefined;
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
