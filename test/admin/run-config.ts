import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inject, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { startReferenceService } from '../../playground/service/start-service.ts';
import { type ProcessContext, runAdmin } from '../../src/admin/run-admin.ts';
import { unpackTemplate } from '../support/database-template.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A database that Belay has used before, without a workspace, and a service to connect to. */
export async function backends() {
  const service = await startReferenceService({ dialect: 'live' });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  await unpackTemplate(inject('databaseTemplate'), join(folder, 'data'));
  const [portal] = service.portals;
  if (!portal) throw new Error('the service has no portal');
  const region = { id: 'here', label: 'Here', portal: 'here.example', baseUrl: portal.baseUrl };
  writeFileSync(
    join(folder, 'belay.yml'),
    stringify({ regions: [{ ...region, dialect: 'live' }] }),
  );
  const file = join(folder, 'configuration.yaml');
  writeFileSync(file, configuration);
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'secrets', 'main'), `${portal.token}\n`);
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    DATABASE_URL: `pglite:${join(folder, 'data')}`,
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CONFIG: join(folder, 'belay.yml'),
  };
  return { env, file, folder, token: portal.token, service };
}

/** What the command line does and prints, without a process of its own. */
export async function runConfig(
  args: string[],
  context: Omit<ProcessContext, 'stdout' | 'stderr'>,
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const code = await runAdmin(['config', ...args], { ...context, stdout, stderr });
  stdout.end();
  stderr.end();
  const [out, error] = await printed;
  return { code, out, error };
}

export const configuration = `version: 1
workspaces:
  T0ACME:
    connections:
      - {name: main, region: here, token: {file: secrets/main}}
    settings: {approvers: [U2BEN, U3CLEO], approvalsChannel: C1OPS}
    alertWatches:
      - {channel: C1OPS, connection: main, owner: U2BEN, filter: {severities: [error]}}
`;
