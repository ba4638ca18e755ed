import { randomUUID } from 'node:crypto';
import { setupChangeAction } from '../audit-log/registry.ts';
import { systemClock } from '../clock.ts';
import { readDoctorConfig } from '../config.ts';
import { serveAll } from '../database/served-teams.ts';
import { createOpenTeams, openAccess } from '../features/access/index.ts';
import { createApprovalStore, createApprovals, placesOf } from '../features/approvals/index.ts';
import {
  type CheckedPlan,
  type ConfigurationDependencies,
  createWorkspaceHandlers,
  toPendingChange,
} from '../features/configuration/index.ts';
import {
  changeLines,
  findSecondPerson,
  requestChange,
  showsExactly,
} from '../features/setup/index.ts';
import {
  addConfiguredChange,
  createOpenSettings,
  createWorkspaceStore,
  dropEndedChange,
  isAdmin,
} from '../features/workspaces/index.ts';
import { createLogger } from '../logger.ts';
import { createAdminDirectory } from '../slack/api/list-admins.ts';
import { stripMarkup } from '../slack/ui/mrkdwn.ts';
import type { CommandCall } from './command.ts';
import { openSlack } from './open-slack.ts';
import { parseOperator } from './operator.ts';

/** The maximum length of the lines that a Slack message shows in full. */
const maxShownLength = 2500;

/**
 * Requests the approval of a plan, in the name of an admin, and in the approvals channel. Resolves to
 * the reply that the admin would get in Slack.
 * @throws with one sentence if there is no request
 */
export async function requestConfiguration(
  { values, config, env, db }: CommandCall,
  plan: CheckedPlan,
  dependencies: ConfigurationDependencies,
): Promise<string> {
  const { 'requested-by': requestedBy, reason } = values;
  if (!requestedBy || !reason?.trim()) {
    throw new Error(
      `The changes to workspace ${plan.teamId} require a second person's approval. Nothing was changed. Add --requested-by with the Slack member ID of an admin, and --reason.`,
    );
  }
  const { teamId } = plan;
  const { cipher, append, actions } = dependencies;
  const log = createLogger('silent');
  const clock = systemClock;
  const { encryptionKeys } = config;
  const { slack, skipped } = await openSlack(readDoctorConfig(env).slack, {
    teamId,
    db,
    encryptionKeys,
  });
  if (!slack) throw new Error(`${skipped.join(' ')} Nothing was changed.`);
  const waiting = toPendingChange(plan, randomUUID);
  if (!waiting)
    throw new Error('The workspace has no connection. Nothing was changed. Run the command again.');
  const { change, tokens } = waiting;
  const isShown = changeLines(change).join('\n').length <= maxShownLength;
  if (!isShown || !showsExactly(change)) {
    throw new Error(
      'The file changes too much to show to approvers in full. Nothing was changed. Apply it in several steps.',
    );
  }

  const handlers = createWorkspaceHandlers(append, dependencies);
  const store = createWorkspaceStore(db, cipher, { ...handlers, isServed: serveAll });
  const { readSettings } = store;
  const access = openAccess({ db, readSettings, openTeams: createOpenTeams(), clock, log });
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
  if (by !== undefined && by !== requestedBy) {
    const { settings } = current;
    const deciders = second.decidedBy === 'admins' ? [] : settings.approvers;
    if (placesOf(await access.readPerson(slack, by), deciders, settings).length > 0) {
      throw new Error(
        `${by} could approve this change, which needs a second person. Nothing was changed. Set --requested-by to your own Slack member ID, or ask someone who can't approve the change to run the command.`,
      );
    }
  }

  const { enterpriseId } = plan.stored.setup;
  const at = clock();
  const added = { teamId, enterpriseId, change, tokens, createdBy: requestedBy, at };
  await addConfiguredChange(db, cipher, added);
  const openSettings = createOpenSettings({ store, clock });
  const hooks = { append, enqueueJobs: dependencies.enqueueJobs, onEnded: dropEndedChange };
  const describe = (error: unknown) => (error instanceof Error ? error.message : 'unknown');
  const approvals = createApprovals({
    store: createApprovalStore(db, hooks, serveAll),
    actions,
    readSettings,
    openSettings,
    // Setup changes never act on the service.
    openService: async () => undefined,
    describeFailure: describe,
    describeCause: describe,
    access,
    adminDirectory,
    clock,
    log,
    clients: { find: async () => slack, clientFor: async () => slack },
    newId: randomUUID,
  });
  let isRequested = false;
  const { configuration, ...shown } = change;
  const message = await requestChange(
    {
      teamId,
      enterpriseId,
      person,
      slack,
      channelId: undefined,
      current,
      // The plan itself is stored once, with the change.
      change: { ...shown, configuration: configuration && { ...configuration, plan: undefined } },
      secondPerson: second,
      reason: reason.trim(),
      onRequested: async () => {
        isRequested = true;
      },
    },
    { approvals, openSettings },
  );
  const text = stripMarkup(message?.text ?? '');
  if (isRequested) return text;
  const ended = { teamId, action: setupChangeAction, subjectId: change.changeId };
  await db.transaction().execute((trx) => dropEndedChange(trx, ended));
  throw new Error(`${text} Nothing was changed.`);
}
