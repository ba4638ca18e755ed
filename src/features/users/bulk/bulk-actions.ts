import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { StepName } from '../../../audit-log/registry.ts';
import type { User } from '../../../dataprotection/resources/users.ts';
import { isSamePerson } from '../../../mailbox.ts';
import type {
  ActionDefinition,
  ActionLimit,
  Check,
  DescribedAction,
  Step,
} from '../../../requests/action.ts';
import { mergeChecks } from '../../../requests/bulk/inspect-subjects.ts';
import {
  type ActionEntries,
  defineAction,
  openSameService,
} from '../../../requests/define-action.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { snapshotOf, userPayload, userSnapshotSchema } from '../stored-user.ts';
import { listUsers } from '../views/bulk/list-users.ts';
import { cancelDeletionTexts, deletionWarning } from '../views/format-user.ts';
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

type BulkAction = ActionDefinition<BulkPayload, BulkSnapshot, CheckedUser[]>;

/**
 * Actions for requesting, deciding and showing several users at once. They never run: each user has a
 * request with the single action, which is guarded, run and logged.
 */
export const bulkActions = {
  'users.bulk_disable': defineAction({
    ...bulkAction('disable', (payload) => describeBulk('disable', payload)),
    limit: removalLimit,
  }),
  'users.bulk_enable': defineAction(
    bulkAction('enable', (payload) => ({
      ...describeBulk('enable', payload),
      summary: `re-enable ${countOf(payload)}`,
    })),
  ),
  'users.bulk_delete': defineAction({
    ...bulkAction('delete', (payload) => ({
      ...describeBulk('delete', payload),
      style: 'danger',
      warning: deletionWarning(payload.graceMinutes ?? 0, undefined, 'the users are'),
      cancellation: { step: neverRuns('cancel'), texts: cancelDeletionsTexts },
    })),
    limit: removalLimit,
  }),
} satisfies Partial<ActionEntries>;

const cancelDeletionsTexts = {
  ...cancelDeletionTexts,
  effect:
    'The scheduled deletions are canceled. The accounts that Belay disabled for them are enabled again.',
};

function bulkAction(verb: BulkVerb, describe: BulkAction['describe']): BulkAction {
  return {
    name: bulkActionNames[verb],
    payload: bulkPayload,
    personalFields: { removed: ['users'], replaced: [] },
    snapshot: bulkSnapshot,
    describe,
  };
}

function describeBulk(
  verb: BulkVerb,
  payload: BulkPayload,
): DescribedAction<BulkSnapshot, CheckedUser[]> {
  const { count, users } = payload;
  return {
    subjectId: hashIds(users.map(({ id }) => id)),
    style: 'primary',
    summary: `${verb} ${countOf(payload)}`,
    audited: { subject: plural(count, 'user') },
    changes: () => listUsers(users),
    steps: [neverRuns(verb)],
    isShownExactly: () => true,
    requestAgain: bulkFormButton(verb, 'Request again…'),
    open: openSameService,
    readSubject: async () => undefined,
    snapshotOf: (checked) => ({ users: checked.map(({ user }) => snapshotOf(user)) }),
    differences: () => [],
    isSubject: (seen, person) => {
      const results = seen.users.map((user) => isSamePerson(user, person));
      return results.find((one) => one === 'yes') ?? results.find((one) => one !== 'no') ?? 'no';
    },
    checks: async (checked) => mergeChecks(checked, (affected) => plural(affected, 'user')),
  };
}

function countOf({ count }: BulkPayload): string {
  return bold(plural(count, 'user'));
}

/** The same for the same users, in any order. */
function hashIds(ids: string[]): string {
  return createHash('sha256').update(JSON.stringify(ids.toSorted())).digest('base64url');
}

function neverRuns(name: StepName): Step<BulkSnapshot, CheckedUser[]> {
  return {
    name,
    done: '',
    isDone: async () => false,
    run: () => Promise.reject(new Error('a request about several users runs nothing itself')),
  };
}
