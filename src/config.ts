import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { builtInRegions, loopback, type Region, regionsSchema } from './dataprotection/region.ts';
import { logLevels } from './logger.ts';
import { loadYaml } from './yaml.ts';

/** The environment or the configuration file is invalid; `message` is one line with the remedy. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A bot token works for its own workspace; OAuth installs Belay in any number of them. */
type Credentials = { botToken: string } | OAuthCredentials;

type OAuthCredentials = {
  clientId: string;
  clientSecret: string;
  /** Signs the state that binds an installation to the browser that began it. */
  stateSecret: string;
  /** Belay's own address: scheme, host and port. */
  publicUrl: string;
};

export type Config = {
  slack: {
    credentials: Credentials;
    /** If set, Socket Mode; else HTTP with `signingSecret`. */
    appToken: string | undefined;
    signingSecret: string | undefined;
    /** Base of the Web API with a trailing slash; undefined means Slack's own. */
    apiUrl: string | undefined;
  };
  host: string;
  port: number;
  /** Belay's own address, as browsers reach it: scheme, host and port. */
  publicUrl: string | undefined;
  /** Where health and metrics are served; undefined for nowhere. */
  health: { host: string; port: number } | undefined;
  databaseUrl: string;
  databaseOptions: {
    /** The same database without a connection pooler, if `databaseUrl` points to one. */
    directUrl: string | undefined;
    /** How many connections to PostgreSQL a process opens at most. */
    poolSize: number | undefined;
  };
  /** 32 bytes each; the first encrypts, all decrypt. */
  encryptionKeys: Buffer[];
  /** The file of the audit log's checkpoints, outside the database. */
  checkpointFile: string;
  /** The regions of the operator's file, then the built-in ones with other ids. */
  regions: Region[];
  /** How often the policies of a watched connection are read. */
  policyIntervalMs: number;
  logLevel: (typeof logLevels)[number];
  /** Where traces go and which share of them, from 0 to 1; undefined for no traces. */
  tracing: { url: string; sampleRatio: number } | undefined;
};

type Environment = Record<string, string | undefined>;

const required = (remedy: string) => z.string({ error: `is missing: ${remedy}` });

function wholeNumber(what: string, min: number, max: number) {
  const remedy = `is not a ${what}: use a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,5}$/, remedy)
    .transform(Number)
    .refine((number) => number >= min && number <= max, remedy);
}

const port = wholeNumber('port', 0, 65_535);

/** Of a collector, which may be reached by http inside a network: no span holds a secret. */
const endpoint = z.url({ protocol: /^https?$/, error: 'is not an http or https address' });

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
const samplers = [
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
];

const environment = z.object({
  SLACK_BOT_TOKEN: z
    .string()
    .startsWith('xoxb-', 'is not a bot token: bot tokens start with xoxb-')
    .optional(),
  SLACK_CLIENT_ID: z.string().optional(),
  SLACK_CLIENT_SECRET: z.string().optional(),
  SLACK_STATE_SECRET: z
    .string()
    .min(32, 'is too short: use at least 32 random characters')
    .optional(),
  BELAY_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'is not an https address' })
    .refine(isHttpsOrLoopback, 'must use https (http is accepted for this machine only)')
    .refine(isOrigin, 'must be a scheme and a host only, such as https://belay.example.com')
    .transform((address) => new URL(address).origin)
    .optional(),
  SLACK_APP_TOKEN: z
    .string()
    .startsWith('xapp-', 'is not an app-level token: app-level tokens start with xapp-')
    .optional(),
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/\S/, 'is blank: copy the value from your Slack app (Basic Information)')
    .optional(),
  SLACK_API_URL: z
    .url({ protocol: /^https?$/, error: 'is not an http or https address' })
    .refine(
      isHttpsOrLoopback,
      'must use https, because Belay sends the bot token there (http is accepted for this machine only)',
    )
    .optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  HEALTH_PORT: port.optional(),
  DATABASE_URL: z
    .string()
    .regex(
      /^(pglite:.+|postgres(ql)?:\/\/.+)$/,
      'is not a database address: use pglite:<folder> or postgres://…',
    )
    .default('pglite:./belay-data'),
  DATABASE_DIRECT_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/.+$/, 'is not a PostgreSQL address: use postgres://…')
    .optional(),
  DATABASE_POOL_SIZE: wholeNumber('number of connections', 2, 100).optional(),
  BELAY_ENCRYPTION_KEYS: required(
    'generate a key with: node -p "crypto.randomBytes(32).toString(\'base64\')"',
  ).transform((value, context) => {
    const keys = value.split(',').map((key) => Buffer.from(key.trim(), 'base64'));
    if (keys.every((key) => key.length === 32)) return keys;
    context.addIssue('is invalid: use base64-encoded keys of 32 bytes each, separated by commas');
    return z.NEVER;
  }),
  BELAY_CHECKPOINT_FILE: z.string().default('./belay-checkpoints.jsonl'),
  BELAY_CONFIG: z.string().optional(),
  BELAY_TOKEN_DIR: z.string().optional(),
  BELAY_POLICY_READ_MINUTES: wholeNumber('number of minutes', 1, 1440).default(15),
  LOG_LEVEL: z.enum(logLevels, { error: `is not one of ${logLevels.join(', ')}` }).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .string()
    .refine(
      (protocol) => protocol !== 'grpc',
      "must be http/json: Belay doesn't send traces by gRPC",
    )
    .optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, { error: `is not one of ${samplers.join(', ')}` })
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('is not a number from 0 to 1')
    .min(0, 'is less than 0')
    .max(1, 'is more than 1')
    .default(1),
});

/** All environment variables that Belay reads. */
export const variableNames: readonly string[] = environment.keyof().options;

function isHttpsOrLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || loopback.has(url?.hostname ?? '');
}

function isOrigin(address: string): boolean {
  const url = URL.parse(address);
  return (
    url !== null &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  );
}

/**
 * Reads the environment and the configuration file. The only reader of the environment.
 * @throws {ConfigError} naming the variable and the remedy.
 */
export function readConfig(env: Environment): Config {
  const values = parseEnvironment(environment, withoutEmpty(env));
  const credentials = credentialsOf(values);
  if (!values.SLACK_APP_TOKEN && !values.SLACK_SIGNING_SECRET) {
    throw new ConfigError(
      'SLACK_SIGNING_SECRET is missing: copy the value from your Slack app (Basic Information), or set SLACK_APP_TOKEN for Socket Mode',
    );
  }
  const regions = regionsWith(values.BELAY_CONFIG);
  const { HEALTH_HOST: healthHost, HEALTH_PORT: healthPort } = values;
  return {
    slack: {
      credentials,
      appToken: values.SLACK_APP_TOKEN,
      signingSecret: values.SLACK_SIGNING_SECRET,
      apiUrl: values.SLACK_API_URL?.replace(/\/*$/, '/'),
    },
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.BELAY_PUBLIC_URL,
    health: healthPort === undefined ? undefined : { host: healthHost, port: healthPort },
    databaseUrl: values.DATABASE_URL,
    databaseOptions: {
      directUrl: values.DATABASE_DIRECT_URL,
      poolSize: values.DATABASE_POOL_SIZE,
    },
    encryptionKeys: values.BELAY_ENCRYPTION_KEYS,
    checkpointFile: values.BELAY_CHECKPOINT_FILE,
    regions,
    policyIntervalMs: values.BELAY_POLICY_READ_MINUTES * 60_000,
    logLevel: values.LOG_LEVEL,
    tracing: tracingOf(values),
  };
}

const oauthVariables = ['SLACK_CLIENT_ID', 'SLACK_CLIENT_SECRET', 'SLACK_STATE_SECRET'] as const;

/** A bot token, or everything that installing with OAuth needs. */
function credentialsOf(values: z.infer<typeof environment>): Credentials {
  const { SLACK_BOT_TOKEN: botToken, BELAY_PUBLIC_URL: publicUrl } = values;
  const {
    SLACK_CLIENT_ID: clientId,
    SLACK_CLIENT_SECRET: clientSecret,
    SLACK_STATE_SECRET: stateSecret,
  } = values;
  const set = oauthVariables.find((name) => values[name] !== undefined);
  if (botToken !== undefined && set === undefined) return { botToken };
  if (set === undefined) {
    throw new ConfigError(
      'SLACK_BOT_TOKEN is missing: copy the bot token from your Slack app (OAuth & Permissions), or set SLACK_CLIENT_ID to install with OAuth',
    );
  }
  if (botToken !== undefined) {
    throw new ConfigError(
      `SLACK_BOT_TOKEN and ${set} are both set: unset SLACK_BOT_TOKEN to install with OAuth, or unset the OAuth variables to use one workspace`,
    );
  }
  if (values.SLACK_APP_TOKEN !== undefined) {
    throw new ConfigError(
      `SLACK_APP_TOKEN and ${set} are both set: installing with OAuth needs the HTTP port, which Socket Mode doesn't have; unset SLACK_APP_TOKEN`,
    );
  }
  if (clientId !== undefined && clientSecret !== undefined && stateSecret !== undefined) {
    if (publicUrl !== undefined) return { clientId, clientSecret, stateSecret, publicUrl };
    throw new ConfigError(
      'BELAY_PUBLIC_URL is missing: installing with OAuth needs the https address at which browsers reach Belay',
    );
  }
  const missing = oauthVariables.find((name) => values[name] === undefined);
  throw new ConfigError(
    `${missing} is missing: installing with OAuth needs ${oauthVariables.join(', ')} and BELAY_PUBLIC_URL`,
  );
}

/** Every trace begins in Belay, so that a sampler is the same with `parentbased_` and without. */
function tracingOf(values: z.infer<typeof environment>): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_TRACES_SAMPLER: sampler } = values;
  const url =
    values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || values.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  if (sampler.endsWith('always_off')) return { url, sampleRatio: 0 };
  const isAlwaysOn = sampler.endsWith('always_on');
  return { url, sampleRatio: isAlwaysOn ? 1 : values.OTEL_TRACES_SAMPLER_ARG };
}

/** Settings of the admin command, which verifies the audit log without Slack's secrets. */
export type AdminConfig = Pick<Config, 'databaseUrl' | 'encryptionKeys' | 'checkpointFile'> & {
  /** The only folder with token files of `config plan` and `config apply`. */
  tokenDir: string | undefined;
};

const adminEnvironment = environment.pick({
  DATABASE_URL: true,
  BELAY_ENCRYPTION_KEYS: true,
  BELAY_CHECKPOINT_FILE: true,
  BELAY_TOKEN_DIR: true,
});

/**
 * Reads the environment of `npm run admin`.
 * @throws {ConfigError} naming the variable and the remedy.
 */
export function readAdminConfig(env: Environment): AdminConfig {
  const values = parseEnvironment(adminEnvironment, withoutEmpty(env));
  return {
    databaseUrl: values.DATABASE_URL,
    encryptionKeys: values.BELAY_ENCRYPTION_KEYS,
    checkpointFile: values.BELAY_CHECKPOINT_FILE,
    tokenDir: values.BELAY_TOKEN_DIR,
  };
}

/** Settings of `admin doctor`, which also asks the service, and Slack if there is a bot token. */
export type DoctorConfig = {
  slack: {
    /** Undefined: a token of an OAuth installation, if there is one. */
    botToken: string | undefined;
    apiUrl: string | undefined;
  };
  regions: Region[];
};

const doctorEnvironment = environment.pick({
  SLACK_BOT_TOKEN: true,
  SLACK_API_URL: true,
  BELAY_CONFIG: true,
});

/**
 * Reads what `npm run admin -- doctor` needs beyond `readAdminConfig`.
 * @throws {ConfigError} naming the variable and the remedy.
 */
export function readDoctorConfig(env: Environment): DoctorConfig {
  const values = parseEnvironment(doctorEnvironment, withoutEmpty(env));
  const { SLACK_BOT_TOKEN: botToken, SLACK_API_URL: apiUrl, BELAY_CONFIG: path } = values;
  return {
    slack: { botToken, apiUrl: apiUrl?.replace(/\/*$/, '/') },
    regions: regionsWith(path),
  };
}

/** Compose files and shells pass an empty variable for one that isn't set. */
function withoutEmpty(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

function parseEnvironment<Values>(schema: z.ZodType<Values>, env: Environment): Values {
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError(`${issue?.path.join('.') ?? 'environment'} ${issue?.message ?? ''}`);
}

const configFile = z.strictObject({ regions: regionsSchema });

/** The regions of the operator's file, then the built-in ones with other ids. @throws {ConfigError} */
function regionsWith(path: string | undefined): Region[] {
  if (path === undefined) return builtInRegions;
  const regions = readRegions(path);
  const isReplaced = ({ id }: Region) => regions.some((region) => region.id === id);
  return [...regions, ...builtInRegions.filter((one) => !isReplaced(one))];
}

function readRegions(path: string): Region[] {
  const parsed = configFile.safeParse(readYaml(path));
  if (parsed.success) return parsed.data.regions;
  const issue = parsed.error.issues[0];
  throw new ConfigError(
    `BELAY_CONFIG: ${path}: ${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'is invalid'}`,
  );
}

function readYaml(path: string): unknown {
  try {
    return loadYaml().parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : 'unreadable';
    throw new ConfigError(`BELAY_CONFIG: can't read ${path} as YAML: ${why}`);
  }
}
