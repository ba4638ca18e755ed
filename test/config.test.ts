import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readAdminConfig, readConfig } from '../src/config.ts';
import { builtInRegions } from '../src/dataprotection/region.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const keys = [randomBytes(32), randomBytes(32)];
const region = {
  id: 'eu',
  label: 'Europe',
  portal: 'eu.portal.example',
  baseUrl: 'https://eu.api.example/',
  dialect: 'documented',
};

/** As JSON, which is valid YAML. */
function configFile(content: unknown): string {
  const path = join(temporaryFolder(), 'belay.yml');
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
  return path;
}

function environment(changes: Record<string, string | undefined> = {}) {
  return {
    SLACK_BOT_TOKEN: 'xoxb-secret-bot',
    SLACK_SIGNING_SECRET: 'secret-signing',
    BELAY_ENCRYPTION_KEYS: keys.map((key) => key.toString('base64')).join(', '),
    BELAY_CONFIG: configFile({ regions: [region] }),
    ...changes,
  };
}

/** The one-line error for an environment; checks that it holds no secret. */
function refusal(env: Record<string, string | undefined>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).not.toMatch(/secret|\n/);
    return error.message;
  }
  throw new Error('the environment was accepted');
}

describe('a complete environment', () => {
  it('is read with defaults for everything except secrets', () => {
    const { regions, encryptionKeys, ...rest } = readConfig(environment());
    expect(rest).toEqual({
      slack: {
        credentials: { botToken: 'xoxb-secret-bot' },
        signingSecret: 'secret-signing',
        appToken: undefined,
        apiUrl: undefined,
      },
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: 'pglite:./belay-data',
      databaseOptions: { directUrl: undefined, poolSize: undefined },
      checkpointFile: './belay-checkpoints.jsonl',
      policyIntervalMs: 15 * 60_000,
      logLevel: 'info',
    });
    expect(encryptionKeys).toEqual(keys);
    expect(regions).toEqual([
      { ...region, baseUrl: 'https://eu.api.example', requestsPerSecond: 50 },
      ...builtInRegions,
    ]);
  });

  it.each(['1', '60', '1440'])('reads policies every %s minutes', (minutes) => {
    const { policyIntervalMs } = readConfig(environment({ BELAY_POLICY_READ_MINUTES: minutes }));
    expect(policyIntervalMs).toBe(Number(minutes) * 60_000);
  });

  it.each(['0', '1441', '1.5', '-5', 'ten', '1e2'])('refuses %s minutes', (minutes) => {
    expect(refusal(environment({ BELAY_POLICY_READ_MINUTES: minutes }))).toBe(
      'BELAY_POLICY_READ_MINUTES is not a number of minutes: use a whole number from 1 to 1440',
    );
  });

  it('treats an empty variable as not set', () => {
    const empty = { PORT: '', DATABASE_URL: '', SLACK_APP_TOKEN: '', SLACK_CLIENT_ID: '' };
    expect(readConfig(environment(empty))).toMatchObject({ port: 3000 });
  });

  it('normalizes the Web API URL to end with one slash', () => {
    for (const url of ['https://slack.test/api', 'https://slack.test/api//']) {
      const { slack } = readConfig(environment({ SLACK_API_URL: url }));
      expect(slack.apiUrl).toBe('https://slack.test/api/');
    }
  });

  it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])(
    'accepts the loopback address %s for the Web API',
    (url) => {
      const { slack } = readConfig(environment({ SLACK_API_URL: url }));
      expect(slack.apiUrl).toBe(`${url}/`);
    },
  );

  it.each([
    [{}, undefined],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, ['http://c:4318/v1/traces', 1]],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp' }, ['https://c/otlp/v1/traces', 1]],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/in' }, ['https://c/in', 1]],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c', OTEL_TRACES_SAMPLER: 'parentbased_always_off' },
      ['https://c/v1/traces', 0],
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
      },
      ['https://c/v1/traces', 0.25],
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c', OTEL_SDK_DISABLED: 'TRUE' }, undefined],
  ])('sends traces as %j says', (env, expected) => {
    const { tracing } = readConfig(environment(env));
    expect(tracing && [tracing.url, tracing.sampleRatio]).toEqual(expected);
  });

  it('requires no signing secret in Socket Mode', () => {
    const env = environment({ SLACK_SIGNING_SECRET: undefined, SLACK_APP_TOKEN: 'xapp-1' });
    expect(readConfig(env).slack).toMatchObject({ appToken: 'xapp-1', signingSecret: undefined });
  });

  it.each(['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])(
    'accepts the loopback address %s',
    (baseUrl) => {
      const path = configFile({ regions: [{ ...region, baseUrl }] });
      const [own] = readConfig(environment({ BELAY_CONFIG: path })).regions;
      expect(own).toMatchObject({ baseUrl });
    },
  );
});

describe('a wrong variable is refused with its name and the remedy', () => {
  it.each([
    ['SLACK_BOT_TOKEN', undefined, 'copy the bot token from your Slack app'],
    ['SLACK_BOT_TOKEN', 'xoxp-secret', 'start with xoxb-'],
    ['SLACK_SIGNING_SECRET', undefined, 'or set SLACK_APP_TOKEN for Socket Mode'],
    ['SLACK_SIGNING_SECRET', ' ', 'is blank'],
    ['SLACK_APP_TOKEN', 'xoxb-secret', 'start with xapp-'],
    ['SLACK_API_URL', 'secret', 'is not an http or https address'],
    ['SLACK_API_URL', 'file:///secret', 'is not an http or https address'],
    ['SLACK_API_URL', 'http://slack.test/secret', 'must use https'],
    ['SLACK_API_URL', 'http://localhost.secret.example', 'must use https'],
    ['PORT', 'secret', 'use a whole number from 0 to 65535'],
    ['PORT', '65536', 'use a whole number from 0 to 65535'],
    ['PORT', '-1', 'use a whole number from 0 to 65535'],
    ['PORT', '80.5', 'use a whole number from 0 to 65535'],
    ['PORT', ' ', 'use a whole number from 0 to 65535'],
    ['HEALTH_PORT', '65536', 'use a whole number from 0 to 65535'],
    ['DATABASE_URL', 'mysql://user:secret@host/db', 'use pglite:<folder> or postgres://'],
    ['DATABASE_URL', 'pglite:', 'use pglite:<folder> or postgres://'],
    ['DATABASE_DIRECT_URL', 'pglite:./data', 'is not a PostgreSQL address: use postgres://'],
    ['DATABASE_POOL_SIZE', '1', 'use a whole number from 2 to 100'],
    ['DATABASE_POOL_SIZE', 'ten', 'use a whole number from 2 to 100'],
    ['BELAY_ENCRYPTION_KEYS', undefined, 'generate a key with: node -p'],
    ['BELAY_ENCRYPTION_KEYS', 'secret', '32 bytes each'],
    ['BELAY_ENCRYPTION_KEYS', `${randomBytes(32).toString('base64')},`, '32 bytes each'],
    ['BELAY_ENCRYPTION_KEYS', randomBytes(31).toString('base64'), '32 bytes each'],
    ['LOG_LEVEL', 'loud', 'is not one of trace, debug, info'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'secret:4317', 'is not an http or https address'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be http/json'],
    ['OTEL_TRACES_SAMPLER', 'secret', 'is not one of always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', 'secret', 'is not a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'is more than 1'],
    ['SLACK_STATE_SECRET', 'secret', 'use at least 32 random characters'],
    ['BELAY_PUBLIC_URL', 'secret', 'is not an https address'],
    ['BELAY_PUBLIC_URL', 'http://belay.example', 'must use https'],
    ['BELAY_PUBLIC_URL', 'https://belay.example/bot', 'a scheme and a host only'],
  ])('%s=%s', (name, value, remedy) => {
    const line = refusal(environment({ [name]: value }));
    expect(line).toMatch(new RegExp(`^${name}\\b`));
    expect(line).toContain(remedy);
  });
});

describe('the environment of the admin program', () => {
  it("does not require Slack's secrets", () => {
    const { BELAY_ENCRYPTION_KEYS } = environment();
    expect(readAdminConfig({ BELAY_ENCRYPTION_KEYS, BELAY_CHECKPOINT_FILE: '/var/seen' })).toEqual({
      databaseUrl: 'pglite:./belay-data',
      encryptionKeys: keys,
      checkpointFile: '/var/seen',
      tokenDir: undefined,
    });
  });

  it('is also refused with the name and the remedy', () => {
    expect(() => readAdminConfig({})).toThrow(
      /^BELAY_ENCRYPTION_KEYS is missing: generate a key with/,
    );
  });
});

describe('the regions', () => {
  it('are the built-in ones without a file', () => {
    expect(readConfig(environment({ BELAY_CONFIG: undefined })).regions).toEqual(builtInRegions);
  });

  it('are replaced by regions with the same id from the file', () => {
    const [replaced, ...others] = builtInRegions;
    const own = { ...region, id: replaced?.id ?? '', dialect: 'live', requestsPerSecond: 20 };
    const path = configFile({ regions: [{ ...own, baseUrl: 'https://eu.api.example' }] });
    const { regions } = readConfig(environment({ BELAY_CONFIG: path }));
    expect(regions).toEqual([{ ...own, baseUrl: 'https://eu.api.example' }, ...others]);
  });

  it('of the live service allow 100 requests a second', () => {
    const path = configFile({ regions: [{ ...region, dialect: 'live' }] });
    const { regions } = readConfig(environment({ BELAY_CONFIG: path }));
    expect(regions.map(({ requestsPerSecond }) => requestsPerSecond)).toEqual(Array(6).fill(100));
  });
});

describe('a wrong BELAY_CONFIG is refused with the place in the file', () => {
  it.each([
    ['not YAML', 'regions: [', 'as YAML'],
    ['not UTF-8', Buffer.from('regions: [] # Köln', 'latin1'), 'not valid for encoding utf-8'],
    ['empty', '', 'file: '],
    ['a list', [], 'file: '],
    ['without regions', {}, 'regions: '],
    ['with no region', { regions: [] }, 'list at least one region'],
    ['with an unknown key', { regions: [region], rolls: {} }, 'rolls'],
    ['with one id twice', { regions: [region, region] }, 'two regions have the same id'],
    ['with an odd id', { regions: [{ ...region, id: 'E U' }] }, 'regions.0.id: use lower-case'],
    ['with an unknown field', { regions: [{ ...region, baseURL: 'x' }] }, 'baseURL'],
    ['with no address', { regions: [{ ...region, baseUrl: 'eu' }] }, 'regions.0.baseUrl: '],
    ['with http', { regions: [{ ...region, baseUrl: 'http://eu.api.example' }] }, 'must be https'],
    [
      'with http to a name that only begins like this machine',
      { regions: [{ ...region, baseUrl: 'http://localhost.evil.example' }] },
      'must be https',
    ],
    ['with ftp', { regions: [{ ...region, baseUrl: 'ftp://localhost' }] }, 'must be https'],
    [
      'with another dialect',
      { regions: [{ ...region, dialect: 'old' }] },
      'dialect: is not one of',
    ],
    ['with an unknown key', { regions: [{ ...region, form: 'live' }] }, 'form'],
    ['without a dialect', { regions: [{ ...region, dialect: undefined }] }, 'regions.0.dialect: '],
    [
      'with no requests at all',
      { regions: [{ ...region, requestsPerSecond: 0 }] },
      'regions.0.requestsPerSecond: ',
    ],
  ])('%s', (_, content, remedy) => {
    const path = configFile(content);
    const line = refusal(environment({ BELAY_CONFIG: path }));
    expect(line).toMatch(/^BELAY_CONFIG: /);
    expect(line).toContain(path);
    expect(line).toContain(remedy);
  });

  it('that does not exist', () => {
    const path = join(temporaryFolder(), 'none.yml');
    const line = refusal(environment({ BELAY_CONFIG: path }));
    expect(line).toMatch(/^BELAY_CONFIG: can't read .*ENOENT/);
  });

  it('that is a folder', () => {
    const line = refusal(environment({ BELAY_CONFIG: temporaryFolder() }));
    expect(line).toMatch(/^BELAY_CONFIG: can't read .*EISDIR/);
  });
});
