import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { StepName } from '../../../audit-log/registry.ts';
import type { User } from '../../../dataprotection/resources/users.ts';
import { isSamePerson } from '../../../mailbox.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import {
  type ActionEntries,
  type ActionLimit,
  type ApprovableAction,
  type Check,
  defineAction,
  mergeChecks,
  openSameService,
  type Step,
} from '../../approvals/index.ts';
import { snapshotOf, userPayload, userSnapshotSchema } from '../stored-user.ts';
import { listUsers } from '../views/bulk/list-users.ts';
import { deletionWarning } from '../views/format-user.ts';
import { type BulkVerb, bulkActionNames, bulkFormButton } from '../views/ids.ts';

/** More need a second request. */
export const maxBulkUsers = 50;

/** Shared by the actions that disable or delete users, several at once or one. */
export const removalLimit: ActionLimit = {
  maxPerHour: ({ usersPerHour }) => usersPerHour,
  describe: (max) =>
    `Belay disables or deletes at most ${plural(max, 'user')} per hour in this workspace`,
};

/** `lastActivity`: as the service says it, for approvers. */
const bulkUser = userPayload.extend({ lastActivity: z.string().optional() });

const bulkPayload = z.object({
  count: z.int().positive(),
  /** Of a deletion. */
  graceMinutes: z.int().nonnegative().optional(),
  /** Gone once the names were erased. */
  users: z.array(bulkUser).default([]),
});
type BulkPayload = z.infer<typeof bulkPayload>;

const bulkSnapshot = z.object({ users: z.array(userSnapshotSchema) });
type BulkSnapshot = z.infer<typeof bulkSnapshot>;

/** The users, as they were just read, and the checks that passed for each. */
type CheckedUser = { user: User; checks: Check[] };

type BulkAction = ApprovableAction<BulkPayload, BulkSnapshot, CheckedUser[]>;

/**
 * Actions for requesting, deciding and showing several users at once. They never run: each user has a
 * request with the single action, which is guarded, run and logged.
 */
export const bulkActions = {
  'users.bulk_disable': defineAction({
    ...bulkAction('disable', { step: 'disable', plain: 'disable' }),
    limit: removalLimit,
  }),
  'users.bulk_enable': defineAction(bulkAction('enable', { step: 'enable', plain: 're-enable' })),
  'users.bulk_delete': defineAction({
    ...bulkAction('delete', { step: 'delete', plain: 'delete' }),
    limit: removalLimit,
    style: 'danger',
    warning: ({ graceMinutes = 0 }) => deletionWarning(graceMinutes, undefined, 'the users are'),
    cancellation: {
      step: () => neverRuns('cancel'),
      texts: {
        button: 'Cancel deletion',
        effect:
          'The scheduled deletions are canceled. The accounts that Belay disabled for them are enabled again.',
        condition: 'unless somebody cancels the deletion',
        tooLate: 'Too late to cancel: the deletion is already running.',
        failed: "Couldn't cancel the deletion.",
      },
    },
  }),
} satisfies Partial<ActionEntries>;

function bulkAction(
  verb: BulkVerb,
  { step, plain }: { step: StepName; plain: string },
): BulkAction {
  return {
    name: bulkActionNames[verb],
    open: openSameService,
    payload: bulkPayload,
    personalFields: { removed: ['users'], replaced: [] },
    snapshot: bulkSnapshot,
    subjectId: ({ users }) => hashIds(users.map(({ id }) => id)),
    style: 'primary',
    summary: ({ count }) => `${plain} ${bold(plural(count, 'user'))}`,
    audited: ({ count }) => ({ subject: plural(count, 'user') }),
    details: () => [],
    changes: ({ users }) => listUsers(users),
    steps: () => [neverRuns(step)],
    isShownExactly: () => true,
    requestAgain: () => bulkFormButton(verb, 'Request again…'),
    readSubject: async () => undefined,
    snapshotOf: (checked) => ({ users: checked.map(({ user }) => snapshotOf(user)) }),
    preview: async () => [],
    differences: () => [],
    isSubject: ({ users }, person) => {
      const results = users.map((user) => isSamePerson(user, person));
      return results.find((one) => one === 'yes') ?? results.find((one) => one !== 'no') ?? 'no';
    },
    checks: async (checked) => mergeChecks(checked, (count) => plural(count, 'user')),
  };
}

/** The same for the same users, in any order. */
function hashIds(ids: string[]): string {
  return createHash('sha256').update(JSON.stringify(ids.toSorted())).digest('base64url');
}

function neverRuns(name: StepName): Step<BulkPayload, BulkSnapshot, CheckedUser[]> {
  return {
    name,
    done: () => '',
    isDone: async () => false,
    run: () => Promise.reject(new Error('a request about several users runs nothing itself')),
  };
}
