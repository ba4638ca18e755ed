import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, inject, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { actAs } from '../playground/act-as.ts';
import { findPorts } from '../playground/free-ports.ts';
import { people } from '../playground/people.ts';
import { type LocalSlack, startLocalSlack } from '../playground/slack/local-slack.ts';
import { createWorkspace } from '../playground/slack/workspace.ts';
import { startChild } from './support/child.ts';
import { unpackTemplate } from './support/database-template.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const root = join(import.meta.dirname, '..');

type Backends = {
  slack: LocalSlack;
  env: Record<string, string>;
  folder: string;
  appToken: string;
};

/**
 * A local Slack and an environment in which the bot starts; no test here asks the service. The
 * configuration file has the old key `form`, which is accepted with a notice.
 */
async function backends(): Promise<Backends> {
  const workspace = createWorkspace();
  const slack = await startLocalSlack({ workspace });
  onTestFinished(() => slack.close());
  const folder = temporaryFolder();
  const configPath = join(folder, 'belay.yml');
  const baseUrl = 'https://eu.api.example';
  const region = {
    id: 'eu',
    label: 'Europe',
    portal: 'eu.example',
    baseUrl,
    dialect: 'documented',
  };
  writeFileSync(configPath, stringify({ regions: [region] }));
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    SLACK_BOT_TOKEN: workspace.app.botToken,
    SLACK_SIGNING_SECRET: workspace.app.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    PORT: String(await findPorts(1)),
    DATABASE_URL: 'pglite:memory',
    BELAY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    BELAY_CONFIG: configPath,
  };
  return { slack, env, folder, appToken: workspace.app.appToken };
}

/** A database that Belay has used before, for tests that are not about its first start. */
async function usedBefore(folder: string): Promise<string> {
  await unpackTemplate(inject('databaseTemplate'), join(folder, 'used-before'));
  return `pglite:${join(folder, 'used-before')}`;
}

function startBot(env: Record<string, string>) {
  // A process that lives for seconds is not worth optimizing the database's code for.
  const script = ['scripts/node.sh', '--liftoff-only', 'src/main.ts'];
  return startChild('sh', script, { env, cwd: root });
}

it('answers a signed command and stops cleanly, even when SIGTERM comes twice', async () => {
  const { slack, env, folder } = await backends();
  const bot = startBot({ ...env, DATABASE_URL: await usedBefore(folder) });
  await bot.says('Belay is ready');
  slack.connectApp(`http://127.0.0.1:${env.PORT}/slack/events`);

  const ana = actAs(slack, people.ana);
  expect(await ana.send('ops', '/belay help')).toEqual({ result: 'ok' });
  await ana.seeMessage('/belay alerts');

  bot.process.kill('SIGTERM');
  await bot.says('"stopping"');
  bot.process.kill('SIGTERM');
  const { code, stderr, stdout } = await bot.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('stopped cleanly');
});

it('stops cleanly while it reconnects to Slack with a token that was revoked', async () => {
  const { slack, env, folder, appToken } = await backends();
  const url = await usedBefore(folder);
  const bot = startBot({ ...env, DATABASE_URL: url, SLACK_APP_TOKEN: appToken });
  await bot.says('Belay is ready');
  for (let attempt = 0; attempt < 50; attempt += 1) {
    slack.failNext('apps.connections.open', 'invalid_auth');
  }
  slack.dropSockets();
  await bot.says('Slack refused SLACK_APP_TOKEN');
  bot.process.kill('SIGTERM');
  const { code, stderr, stdout } = await bot.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('stopped cleanly');
});

it('reports that its port is in use', async () => {
  const { env, folder } = await backends();
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const url = await usedBefore(folder);
  await expectOneLine({ ...env, DATABASE_URL: url, PORT: port }, /^PORT: .*in use/);
});

it('names the variable that is wrong', async () => {
  const { env } = await backends();
  await expectOneLine({ ...env, BELAY_ENCRYPTION_KEYS: 'secret' }, /^BELAY_ENCRYPTION_KEYS\b/);
});

it('reports that PostgreSQL cannot be reached, without the password', async () => {
  const { env } = await backends();
  const url = `postgres://belay:secret@127.0.0.1:${await findPorts(1)}/belay`;
  await expectOneLine({ ...env, DATABASE_URL: url }, /^DATABASE_URL: .*ECONNREFUSED/);
});

it('reports that its data folder is in use, and stops on Ctrl-C', async () => {
  const { env, folder } = await backends();
  const url = await usedBefore(folder);
  const first = startBot({ ...env, DATABASE_URL: url });
  await first.says('Belay is ready');
  const line = /^DATABASE_URL: .*another process is using the folder/;
  await expectOneLine({ ...env, PORT: String(await findPorts(1)), DATABASE_URL: url }, line);
  first.process.kill('SIGINT');
  expect(await first.ended).toMatchObject({ code: 0 });
});

/** Expects exit code 1 and one line on stderr, without secrets. */
async function expectOneLine(env: Record<string, string>, line: RegExp): Promise<void> {
  const { code, stderr } = await startBot(env).ended;
  const [prefix, rest, ...more] = stderr.split(/^Belay did not start: /);
  expect({ code, prefix, more }).toEqual({ code: 1, prefix: '', more: [] });
  expect(rest).toMatch(line);
  expect(rest).toMatch(/^[^\n]+\n$/);
  const secrets = [env.SLACK_BOT_TOKEN, env.SLACK_APP_TOKEN, env.SLACK_SIGNING_SECRET];
  for (const secret of [...secrets, env.BELAY_ENCRYPTION_KEYS, 'secret']) {
    if (secret) expect(stderr).not.toContain(secret);
  }
}
