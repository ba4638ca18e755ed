import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { startReferenceService } from '../../playground/service/start-service.ts';
import { startChild } from '../support/child.ts';
import { unpackTemplate } from '../support/database-template.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');

/** A database that Belay has used before, without a workspace, and a service to connect to. */
async function surroundings() {
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
  writeFileSync(join(folder, 'token'), `${portal.token}\n`);
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    DATABASE_URL: `pglite:${join(folder, 'data')}`,
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CONFIG: join(folder, 'belay.yml'),
  };
  const run = (...args: string[]) =>
    startChild('npm', ['run', '-s', 'admin', '--', 'config', ...args], { env, cwd: root }).ended;
  return { run, file, folder, token: portal.token };
}

const configuration = `version: 1
workspaces:
  T0ACME:
    connections:
      - {name: main, region: here, token: {file: token}}
    settings: {approvers: [U2BEN, U3CLEO], approvalsChannel: C1OPS}
    alertWatches:
      - {channel: C1OPS, connection: main, owner: U2BEN, filter: {severities: [error]}}
`;

it('applies, plans and exports a file from the command line', async () => {
  const { run, file, folder, token } = await surroundings();
  const applied = await run('apply', file, '--by', 'U024BE7LH9');
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.stdout).toContain('+ connections.main.region: "here"');
  expect(applied.stdout).toContain('Applied.');

  const copy = join(folder, 'export.yaml');
  expect(await run('export', copy)).toEqual({ code: 0, stdout: '', stderr: '' });
  const exported = readFileSync(copy, 'utf8');
  expect(exported).toContain('env: BELAY_TOKEN_T0ACME_MAIN');
  expect(exported).not.toContain(token);

  writeFileSync(file, configuration.replace('C1OPS}', 'C1OPS, usersPerHour: 50}'));
  const plan = await run('plan', file);
  expect(plan).toEqual({
    code: 2,
    stdout:
      "Workspace T0ACME:\n  ~ settings.usersPerHour: 10 → 50\n  ! requires a second person's approval: usersPerHour\n",
    stderr: '',
  });
  const wrong = await run('plan', join(folder, 'belay.yml'));
  expect(wrong).toMatchObject({ code: 1, stdout: '' });
  expect(wrong.stderr).toMatch(/belay\.yml:1: version: /);
}, 60_000);
