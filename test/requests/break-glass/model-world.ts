import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/database/tables.ts';
import { approvableActions } from '../../../src/features/actions/index.ts';
import type { Check } from '../../../src/requests/action.ts';
import { createRunReviews } from '../../../src/requests/break-glass/review-runs.ts';
import { runBreakGlass } from '../../../src/requests/break-glass/run-break-glass.ts';
import { decideApproval } from '../../../src/requests/decide-approval.ts';
import { createActionBinder } from '../../../src/requests/define-action.ts';
import { checkPeople } from '../../../src/requests/run/check-people.ts';
import type { Person } from '../../../src/slack/api/person.ts';
import type { SlackClient } from '../../../src/slack/api/slack-client.ts';
import { isUserGroup } from '../../../src/workspace/members.ts';
import { GroupUnreadError } from '../../../src/workspace/permissions.ts';
import type { ActionRule } from '../../../src/workspace/rules.ts';
import {
  defaultAccess,
  defaultSettings,
  type WorkspaceSettings,
} from '../../../src/workspace/settings/document.ts';
import { contextWith } from '../context-with.ts';
import { groups, people, type Standing } from '../rules/ruled-world.ts';
import { insertConnection, newTeamId, noon, openApprovalStore } from '../store/rows.ts';

const bind = createActionBinder(approvableActions);
const approver = 'U6';
export const approvalsChannel = 'C0OPS00001';

/** What can be requested about the one user of the service, whose address is that of `subject`. */
export type Attempt = { by: string; action: 'users.disable' | 'setup.change' };

/** A workspace in which people try to run an action without approval, and to review that. */
export async function openBreakGlassWorld(
  db: Database,
  slack: SlackClient,
  /** The members of the approvals channel. */
  channel: { members?: string[] },
  given: { rule: ActionRule; standings: readonly Standing[] },
) {
  channel.members = [...people];
  const { store } = openApprovalStore(db);
  const teamId = newTeamId();
  const connectionId = await insertConnection(db, teamId);
  const standings = new Map<string, Standing>(
    people.map((id, index) => [id, given.standings[index] as Standing]),
  );
  let guard: Check['result'] = 'passed';
  let current: ActionRule | undefined = given.rule;
  let isOut = false;

  function standingOf(slackUserId: string): Standing {
    const found = standings.get(slackUserId);
    if (!found) throw new Error(`nobody is ${slackUserId}`);
    return found;
  }

  function personOf(slackUserId: string): Person {
    const { groups: known, mailbox, membership } = standingOf(slackUserId);
    const roles = isOut
      ? { groups: [], unreadGroups: [...groups], admins: [] }
      : { groups: known, unreadGroups: [], admins: [] };
    const email = mailbox && `${mailbox}@example.com`;
    return { slackUserId, isAdmin: false, email, membership, standing: roles };
  }

  const settings = (): WorkspaceSettings => ({
    ...defaultSettings,
    approvers: [approver],
    approvalsChannel,
    deleteGraceMinutes: 0,
    usersPerHour: 1000,
    access: { ...defaultAccess, rules: current ? { 'users.disable': current } : {} },
  });

  const context = contextWith({
    store,
    readSettings: async () => settings(),
    readPerson: async (_: string, slackUserId: string) => personOf(slackUserId),
    openPeople: () => async (slackUserId: string) => personOf(slackUserId),
    async listMembers(_: SlackClient, ids: readonly string[]) {
      const inGroup = ([id, { groups: known }]: [string, Standing]) =>
        known.some((group) => ids.includes(group)) ? [id] : [];
      const groupMembers = isOut ? [] : [...standings].flatMap(inGroup);
      return {
        people: [...ids.filter((id) => !isUserGroup(id)), ...groupMembers],
        unread: isOut ? ids.filter(isUserGroup) : [],
      };
    },
    adminDirectory: { read: async () => ({ people: [], isComplete: true }) },
    clock: () => noon,
  });
  const reviews = createRunReviews(context);

  /** Refused while Slack doesn't return the members of a group. */
  const orRefused = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (error instanceof GroupUnreadError) return undefined;
      throw error;
    });

  return {
    teamId,
    store,
    standingOf,
    approver,
    isOut: () => isOut,
    isInChannel: (id: string) => channel.members?.includes(id) === true,
    setMembers: (ids: string[]) => {
      channel.members = ids;
    },
    approvers: () => {
      const [ruled] = current?.approvals ?? [];
      return ruled ? ruled.from : [approver];
    },
    rule: () => current,
    guard: () => guard,
    change: (id: string, to: Standing) => void standings.set(id, to),
    setGuard: (to: Check['result']) => {
      guard = to;
    },
    setOut: (to: boolean) => {
      isOut = to;
    },
    setRule: (to: ActionRule | undefined) => {
      current = to;
    },
    tryToRun: ({ by, action }: Attempt) => {
      const user = { id: 'u-1', fullName: null, email: 'subject@example.com' };
      const snapshot = { ...user, isEnabled: true, isConfirmed: null, roles: null };
      const payload = { id: 'u-1', email: 'subject@example.com' };
      const label = 'last_administrator' as const;
      const checks = async () => [{ label, result: guard }];
      return orRefused(
        runBreakGlass(
          {
            teamId,
            slack,
            settings: settings(),
            requester: personOf(by),
            reason: 'Stolen',
            channelId: undefined,
            viewId: `V${randomUUID()}`,
            isRepeat: true,
            prepared: {
              name: action,
              payload,
              supersedes: [],
              action: bind({ action: 'users.disable', runs: [{ payload, snapshot }] }),
              subject: { snapshot, preview: async () => [], checks },
              target: {
                connectionId,
                connectionName: undefined,
              },
            },
          },
          context,
        ),
      );
    },
    decide: (id: string, by: string, to: 'approved' | 'denied' | 'withdrawn') =>
      orRefused(decideApproval({ teamId, approvalId: id, person: personOf(by), to }, context)),
    review: (id: string, by: string) =>
      orRefused(reviews.review({ teamId, approvalId: id, person: personOf(by), comment: 'Fine' })),
    /** Whether the next step would run: nothing stops it. */
    async wouldRun(id: string): Promise<boolean> {
      const approval = await this.find(id);
      const now = { ...context, settings: settings() };
      return (await checkPeople(approval, bind(approval), now)) === undefined;
    },
    /** As if its steps had run. */
    async end(id: string) {
      const ended = { state: 'completed' as const, wake_at: null };
      await db.updateTable('approval').set(ended).where('id', '=', id).execute();
      await db.updateTable('run').set(ended).where('id', '=', id).execute();
    },
    async find(id: string) {
      const found = await store.find({ teamId, id });
      if (!found) throw new Error('the run is gone');
      return found;
    },
    list: () => db.selectFrom('approval').selectAll().where('team_id', '=', teamId).execute(),
  };
}

export type BreakGlassWorld = Awaited<ReturnType<typeof openBreakGlassWorld>>;
