import { isUtf8 } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setupChangeAction } from '../audit-log/registry.ts';
import { systemClock } from '../clock.ts';
import { readDoctorConfig } from '../config.ts';
import { serveAll } from '../database/served-teams.ts';
import { createServiceClient, createTransport } from '../dataprotection/client.ts';
import { probeConnection } from '../dataprotection/probe-connection.ts';
import { approvableActions } from '../features/actions/index.ts';
import {
  applyFile,
  type CheckedPlan,
  type ConfigurationContext,
  ConfigurationError,
  createTokenReader,
  exportConfiguration,
  type FilePlan,
  formatPlan,
  hasDifferences,
  parseConfiguration,
  planFile,
  toPendingChange,
} from '../features/configuration/index.ts';
import {
  changeLines,
  findSecondPerson,
  requestChange,
  showsExactly,
} from '../features/setup/index.ts';
import { userExists } from '../features/users/index.ts';
import { anchorMs, readAnchor } from '../features/watches/index.ts';
import { createLogger } from '../logger.ts';
import { createApprovals } from '../requests/approvals.ts';
import { placesOf } from '../requests/people/places.ts';
import { createApprovalStore } from '../requests/store/approval-store.ts';
import { createAdminDirectory } from '../slack/api/list-admins.ts';
import { stripMarkup } from '../slack/ui/mrkdwn.ts';
import { createOpenSettings } from '../workspace/open-settings.ts';
import { isAdmin } from '../workspace/permissions.ts';
import { addConfiguredChange } from '../workspace/store/configured-workspace.ts';
import { dropEndedChange } from '../workspace/store/drop-changes.ts';
import { createTokenCipher } from '../workspace/store/token-cipher.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { openSlack } from './open-slack.ts';
import { openStore } from './open-store.ts';
import { parseOperator } from './operator.ts';

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
  return withPlan(call, async (plan, context) => {
    printPlan(call, plan);
    const applied = { by, operator: { actor: by }, at: systemClock() };
    const done = await applyFile(plan, applied, context);
    switch (done.result) {
      case 'unchanged':
        return 0;
      case 'applied':
        call.stdout.write('Applied. Belay announces the changes in Slack once Belay is running.\n');
        return 0;
      case 'refused':
        throw new Error(`${done.why} Nothing was changed.`);
      case 'approval-needed':
        call.stdout.write(`${await requestConfiguration(call, done.plan, context)}\n`);
        return 2;
    }
  });
}

function printPlan({ stdout }: CommandCall, { plans, voided }: FilePlan): void {
  for (const plan of plans) stdout.write(formatPlan(plan, voided.get(plan.teamId) ?? []));
}

async function withPlan(
  { file, values, config, env, db }: CommandCall,
  use: (plan: FilePlan, context: ConfigurationContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) throw new ConfigurationError(`${file}: the file isn't valid UTF-8.`);
  const parsed = parseConfiguration(bytes.toString(), file);
  const { regions, slack } = readDoctorConfig(env);
  const { encryptionKeys, tokenDir } = config;
  const transport = createTransport();
  const { cipher, hooks } = openStore(db, encryptionKeys);
  const context: ConfigurationContext = {
    db,
    cipher,
    hooks,
    readToken: createTokenReader(env, { base: dirname(file), tokenDir }),
    openSlack: (teamId) => openSlack(slack, { teamId, db, encryptionKeys }),
    regions,
    probe: (connection) => probeConnection(connection, transport),
    userExists: (connection, text) => userExists(connection, text, transport),
    readAnchor: (connection) =>
      readAnchor(
        createServiceClient(connection, transport),
        systemClock(),
        AbortSignal.timeout(anchorMs),
      ),
  };
  try {
    const options = { teamId: values.team, at: systemClock() };
    return await use(await planFile(parsed, options, context), context);
  } finally {
    await transport.dispatcher.close();
  }
}

/** The maximum length of the lines that a Slack message shows in full. */
const maxShownLength = 2500;

/**
 * Requests the approval of a plan, in the name of an admin, and in the approvals channel. Resolves to
 * the reply that the admin would get in Slack.
 * @throws with one sentence if there is no request
 */
async function requestConfiguration(
  { values, config, db }: CommandCall,
  plan: CheckedPlan,
  context: ConfigurationContext,
): Promise<string> {
  const { 'requested-by': requestedBy, reason } = values;
  if (!requestedBy || !reason?.trim()) {
    throw new Error(
      `The changes to workspace ${plan.teamId} require a second person's approval. Nothing was changed. Add --requested-by with the Slack member ID of an admin, and --reason.`,
    );
  }
  const { teamId } = plan;
  const log = createLogger('silent');
  const clock = systemClock;
  const { slack, skipped } = await context.openSlack(teamId);
  if (!slack) throw new Error(`${skipped.join(' ')} Nothing was changed.`);
  const waiting = toPendingChange(plan);
  if (!waiting)
    throw new Error('The workspace has no connection. Nothing was changed. Run the command again.');
  const { change, tokens } = waiting;
  const isShown = changeLines(change).join('\n').length <= maxShownLength;
  if (!isShown || !showsExactly(change)) {
    throw new Error(
      'The file changes too much to show to approvers in full. Nothing was changed. Apply it in several steps.',
    );
  }

  const { cipher, hooks, store, access } = openStore(db, config.encryptionKeys);
  const adminDirectory = createAdminDirectory({ listNamed: access.listAdmins });
  const person = await access.readPerson(slack, requestedBy);
  if (!isAdmin(person)) {
    throw new Error(`${requestedBy} isn't an admin of workspace ${teamId}. Nothing was changed.`);
  }
  const current = await store.readSetup(teamId);
  const second = await findSecondPerson(
    current.settings.approvers,
    { slack, person, log },
    { access, adminDirectory },
  );
  if (!second) throw new Error('Nobody else could approve this change. Nothing was changed.');
  const { actor: by } = parseOperator(values.by);
  const submittedBy = by === requestedBy ? undefined : by;
  if (submittedBy !== undefined) {
    const { settings } = current;
    const deciders = second.decidedBy === 'admins' ? [] : settings.approvers;
    if (placesOf(await access.readPerson(slack, submittedBy), deciders, settings).length > 0) {
      throw new Error(
        `${submittedBy} could approve this change, which needs a second person. Nothing was changed. Set --requested-by to your own Slack member ID, or ask someone who can't approve the change to run the command.`,
      );
    }
  }

  const at = clock();
  const added = { teamId, change, tokens, createdBy: requestedBy, at };
  await addConfiguredChange(db, cipher, added);
  const openSettings = createOpenSettings({ store, clock });
  const approvals = createApprovals({
    store: createApprovalStore(db, hooks, serveAll),
    actions: approvableActions,
    readSettings: store.readSettings,
    openSettings,
    // Setup changes never act on the service.
    openService: async () => undefined,
    access,
    adminDirectory,
    clock,
    log,
    clients: { find: async () => slack, clientFor: async () => slack },
  });
  let isRequested = false;
  const { configuration, ...shown } = change;
  const message = await requestChange(
    { teamId, person, slack },
    {
      channelId: undefined,
      current,
      // The plan itself is stored once, with the change.
      change: { ...shown, configuration: configuration && { ...configuration, plan: undefined } },
      secondPerson: second,
      submittedBy,
      reason: reason.trim(),
      onRequested: async () => {
        isRequested = true;
      },
    },
    { approvals, openSettings },
  );
  const text = stripMarkup(message?.text ?? '');
  if (isRequested) return text;
  const runs = [{ subjectId: change.changeId }];
  const ended = { teamId, action: setupChangeAction, runs };
  await db.transaction().execute((trx) => dropEndedChange(trx, ended));
  throw new Error(`${text} Nothing was changed.`);
}
