import { parseArgs } from 'node:util';
import { type ReferenceService, startReferenceService } from './start-service.ts';

const defaultPort = '4400';
const highestPort = 65_535 - 3;

await main();

async function main(): Promise<void> {
  const port = readPort();
  if (port === undefined) {
    return fail(`Give the first of four ports as --port N, N from 1 to ${highestPort}.`);
  }
  const service = await start(port);
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
  console.log(JSON.stringify({ portals }));
}

function readPort(): number | undefined {
  try {
    const options = { port: { type: 'string', default: defaultPort } } as const;
    const { port } = parseArgs({ options }).values;
    const isPort = /^[1-9]\d{0,4}$/.test(port) && Number(port) <= highestPort;
    return isPort ? Number(port) : undefined;
  } catch {
    return undefined;
  }
}

async function start(port: number): Promise<ReferenceService | undefined> {
  try {
    return await startReferenceService({ port });
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
