import type { ActionLimit, DescribedSeveral } from '../../../requests/action.ts';
import { bold } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { DeletePayload, UserPayload } from '../stored-user.ts';
import { cancelDeletionTexts, deletionWarning, listUsers } from '../views/format-user.ts';
import { type BulkVerb, bulkFormButton } from '../views/ids.ts';

/** More need a second request. */
export const maxBulkUsers = 50;

/** Shared by the actions that disable or delete users, also those invited again. */
export const removalLimit: ActionLimit = {
  maxPerHour: ({ usersPerHour }) => usersPerHour,
  describe: (max) =>
    `Belay disables or deletes at most ${plural(max, 'user')} per hour in this workspace`,
};

const nameUsers = (count: number) => plural(count, 'user');

/** `word`: what is done, in the summary. */
export function severalUsers(verb: BulkVerb, users: UserPayload[], word: string): DescribedSeveral {
  return {
    name: nameUsers,
    summary: `${word} ${bold(nameUsers(users.length))}`,
    changes: () => listUsers(users),
    requestAgain: bulkFormButton(verb, 'Request again…'),
  };
}

export function severalDeletions(users: DeletePayload[]): DescribedSeveral {
  const graceMinutes = Math.min(...users.map((user) => user.graceMinutes));
  return {
    ...severalUsers('delete', users, 'delete'),
    warning: deletionWarning(graceMinutes, undefined, 'the users are'),
    cancellationTexts: {
      ...cancelDeletionTexts,
      effect:
        "The deletions that haven't run yet are canceled. The accounts that Belay disabled for them are enabled again.",
    },
  };
}
