import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createAppendEntry } from '../audit-log/append.ts';
import { systemClock } from '../clock.ts';
import { readDoctorConfig } from '../config.ts';
import { createServiceClient } from '../dataprotection/client.ts';
import { createDiscoveryCache } from '../dataprotection/dialects/discovery-cache.ts';
import { createDispatcher } from '../dataprotection/http/dispatcher.ts';
import { createLimiters } from '../dataprotection/http/limiter.ts';
import { probeConnection } from '../dataprotection/probe-connection.ts';
import {
  applyFile,
  type ConfigurationDependencies,
  ConfigurationError,
  createTokenReader,
  exportConfiguration,
  type FilePlan,
  formatPlan,
  hasDifferences,
  parseConfiguration,
  planFile,
} from '../features/configuration/index.ts';
import { mayStoreData } from '../features/installations/index.ts';
import { policyActions } from '../features/policies/index.ts';
import { setupActions } from '../features/setup/index.ts';
import { userActions, userExists } from '../features/users/index.ts';
import { anchorMs, readAnchor } from '../features/watches/index.ts';
import { createTokenCipher } from '../features/workspaces/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { openSlack } from './open-slack.ts';
import { parseOperator } from './operator.ts';
import { requestConfiguration } from './request-configuration.ts';

/** Writes the configuration of one or all workspaces: the same text for the same stored values. */
export async function exportConfigurationFile(call: CommandCall): Promise<ExitCode> {
  const { db, file, values, config, stdout } = call;
  const cipher = createTokenCipher(config.encryptionKeys);
  const text = await exportConfiguration(values.team, { db, cipher });
  if (file === '-') stdout.write(text);
  else writeFileSync(file, text);
  return 0;
}

/** Prints what applying the file would change. Exit code 2 if it would change anything. */
export function planConfiguration(call: CommandCall): Promise<ExitCode> {
  return withPlan(call, async (plan) => {
    printPlan(call, plan);
    return plan.plans.some(hasDifferences) ? 2 : 0;
  });
}

/**
 * Applies the file completely or not at all. Changes that weaken a guard become a request instead: exit
 * code 2, because the differences remain until somebody approves it.
 */
export async function applyConfiguration(call: CommandCall): Promise<ExitCode> {
  const by = parseOperator(call.values.by).actor;
  if (by === undefined) throw new Error('Add --by with your Slack member ID.');
  return withPlan(call, async (plan, dependencies) => {
    printPlan(call, plan);
    const applied = { by, operator: { actor: by }, at: systemClock() };
    const done = await applyFile(plan, applied, dependencies);
    switch (done.result) {
      case 'unchanged':
        return 0;
      case 'applied':
        call.stdout.write('Applied. Belay announces the changes in Slack once Belay is running.\n');
        return 0;
      case 'refused':
        throw new Error(`${done.why} Nothing was changed.`);
      case 'approval-needed':
        call.stdout.write(`${await requestConfiguration(call, done.plan, dependencies)}\n`);
        return 2;
    }
  });
}

function printPlan({ stdout }: CommandCall, { plans, voided }: FilePlan): void {
  for (const plan of plans) stdout.write(formatPlan(plan, voided.get(plan.teamId) ?? []));
}

async function withPlan(
  { file, values, config, env, db }: CommandCall,
  use: (plan: FilePlan, dependencies: ConfigurationDependencies) => Promise<ExitCode>,
): Promise<ExitCode> {
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) throw new ConfigurationError(`${file}: the file isn't valid UTF-8.`);
  const parsed = parseConfiguration(bytes.toString(), file);
  const { regions, slack } = readDoctorConfig(env);
  const { encryptionKeys, tokenDir } = config;
  const dispatcher = createDispatcher();
  const transport = {
    dispatcher,
    limiters: createLimiters(),
    discoveryCache: createDiscoveryCache(),
  };
  const dependencies: ConfigurationDependencies = {
    db,
    cipher: createTokenCipher(encryptionKeys),
    append: createAppendEntry(encryptionKeys),
    // Without a job queue: the running Belay sweeps up what it finds changed.
    enqueueJobs: async () => undefined,
    readToken: createTokenReader(env, { base: dirname(file), tokenDir }),
    newId: randomUUID,
    openSlack: (teamId) => openSlack(slack, { teamId, db, encryptionKeys }),
    isInstalled: (teamId) => mayStoreData(db, teamId),
    actions: { ...userActions, ...setupActions, ...policyActions },
    checks: {
      regions,
      probe: (connection) => probeConnection(connection, transport),
      userExists: (connection, text) => userExists(connection, text, transport),
      readAnchor: (connection) =>
        readAnchor(
          createServiceClient(connection, transport),
          systemClock(),
          AbortSignal.timeout(anchorMs),
        ),
      // The error itself is safe to print: it has neither the token nor a body.
      describeFailure: (error) => (error instanceof Error ? error.message : 'unknown'),
    },
  };
  try {
    const at = systemClock();
    return await use(await planFile(parsed, values.team, { ...dependencies, at }), dependencies);
  } finally {
    await dispatcher.close();
  }
}
