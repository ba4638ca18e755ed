import {
  enterUsersModal,
  requestUsersModal,
} from '../../../src/features/users/views/bulk-modal.ts';
import { userMrkdwn } from '../../../src/features/users/views/format-user.ts';
import { bulkVerbs } from '../../../src/features/users/views/ids.ts';
import { safeName } from '../../../src/slack/ui/mrkdwn.ts';
import { manyUsers } from '../../requests/bulk-samples.ts';
import { channelId, people } from '../sample-place.ts';
import type { Samples } from '../samples.ts';

/** Every builder of requests about several users, as `everyView` lists them. */
export function everyBulkView(samples: Samples): Record<string, unknown[]> {
  const users = manyUsers(samples);
  const forms = bulkVerbs.map((verb) => ({ verb, channelId }));
  const excess =
    'Belay disables or deletes at most 10 users per hour in this workspace. 3 more users are possible right now, and this request adds 50. Remove 47, try again later, or ask an admin to change the limit in `/belay setup`.';
  const failure = "Belay can't reach the service. Nothing was changed. Try again in a minute.";
  const leftOut = [
    { who: `“${safeName(samples.typed, 100)}”`, why: 'No user has this email address.' },
    ...users.map((user) => ({ who: userMrkdwn(user), why: 'Already disabled.' })),
  ];
  const entered = { users: samples.typed, people: [people.ana] };
  return {
    enterUsersModal: forms.flatMap((form) => [
      enterUsersModal(form, { users: '', people: [] }),
      enterUsersModal(form, entered, { leftOut, readyCount: 3 }),
      enterUsersModal(form, entered, { leftOut: leftOut.slice(0, 1), readyCount: 0 }),
      enterUsersModal(form, entered, { leftOut: [], excess, readyCount: 50 }),
      enterUsersModal(form, entered, { failure }),
    ]),
    requestUsersModal: forms.flatMap((form) =>
      [undefined, ':warning: *This request would be refused right now.*\nNo approver.'].map(
        (warning) =>
          requestUsersModal(form, users, { deleteGraceMinutes: 30, leftOut: 2, warning }),
      ),
    ),
  };
}
