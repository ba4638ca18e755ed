import { expect, test } from 'vitest';
import { findSecondPerson } from '../../../src/features/setup/find-second-person.ts';
import { createLogger } from '../../../src/logger.ts';
import { createAdminDirectory } from '../../../src/slack/api/list-admins.ts';
import type { Person } from '../../../src/slack/api/person.ts';
import { createSlackClient } from '../../../src/slack/api/slack-client.ts';
import { noRoles } from '../../support/no-roles.ts';

const person: Person = {
  slackUserId: 'U1',
  isAdmin: true,
  email: 'u1@harbor.example',
  membership: 'member',
};
const admin = { id: 'U1', team_id: 'T1', is_admin: true, profile: { email: 'u1@harbor.example' } };

/** Asks a Slack that answers `users.list` with these pages, one call after the other. */
function secondPerson(...pages: object[]) {
  let calls = 0;
  const slack = createSlackClient(
    { token: 'xoxb-test', teamId: 'T1' },
    {
      fetch: async () => {
        calls += 1;
        return Response.json({ ok: true, ...pages[(calls - 1) % pages.length] });
      },
    },
  );
  const log = createLogger('silent');
  const { listAdmins: listNamed } = noRoles;
  const adminDirectory = createAdminDirectory({ listNamed });
  return findSecondPerson([], { slack, person, log }, { access: noRoles, adminDirectory });
}

test('nobody, if the list of people has only the person who asks', async () => {
  expect(await secondPerson({ members: [admin] })).toBeUndefined();
});

test.each<[string, object[]]>([
  ['no members', [{}]],
  ['empty members', [{ members: [] }]],
  ['only other people', [{ members: [{ id: 'U2', team_id: 'T1' }] }]],
  [
    'a page without members',
    [{ members: [admin], response_metadata: { next_cursor: 'next' } }, {}],
  ],
])('another admin is assumed, if the list has %s', async (_, pages) => {
  expect(await secondPerson(...pages)).toEqual({ decidedBy: 'admins', isAssumed: true });
});
