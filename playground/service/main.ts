import { parseArgs } from 'node:util';
import { type ReferenceService, startReferenceService } from './start-service.ts';
import { type Form, isForm } from './wire-form.ts';

const defaultPort = '4400';
const highestPort = 65_535 - 3;

await main();

async function main(): Promise<void> {
  const choices = readChoices();
  if (!choices) {
    const ports = `the first of four ports as --port N, N from 1 to ${highestPort}`;
    return fail(`Give ${ports}, and --form documented or --form live.`);
  }
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
  console.log(JSON.stringify({ form: service.form, admin: service.admin, portals }));
}

type Choices = { port: number; form: Form };

function readChoices(): Choices | undefined {
  try {
    const options = {
      port: { type: 'string', default: defaultPort },
      form: { type: 'string', default: 'documented' },
    } as const;
    const { port, form } = parseArgs({ options }).values;
    const isPort = /^[1-9]\d{0,4}$/.test(port) && Number(port) <= highestPort;
    return isPort && isForm(form) ? { port: Number(port), form } : undefined;
  } catch {
    return undefined;
  }
}

async function start({ port, form }: Choices): Promise<ReferenceService | undefined> {
  try {
    return await startReferenceService({ port, form, admin: true });
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
