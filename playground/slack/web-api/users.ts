import { z } from 'zod';
import type { Directory } from '../installations/directory.ts';
import { botUserObject, userObject } from '../people.ts';
import { botOf, grantedScopes, type LocalState } from '../state.ts';
import type { WorkspacePerson } from '../workspace.ts';
import { type ApiMethod, failure, method } from './method.ts';

const EMAIL_SCOPE = 'users:read.email';

const answer = (state: LocalState, person: WorkspacePerson) => {
  const withEmail = grantedScopes(state).includes(EMAIL_SCOPE);
  return { ok: true, user: userObject(state, person, withEmail) };
};

/** A token of a whole organization also reads people of its other workspaces. */
const findInOrganization = (
  { states }: Directory,
  { installation, organization }: LocalState,
  slackUserId: string,
): WorkspacePerson | undefined => {
  if (installation?.target.kind !== 'organization') return undefined;
  const all = (organization?.teamIds ?? []).flatMap((teamId) => states.get(teamId) ?? []);
  return all.flatMap(({ people }) => people.get(slackUserId) ?? [])[0];
};

export const userMethods: Record<string, ApiMethod> = {
  'users.info': method(
    { token: 'bot', scope: 'users:read' },
    z.looseObject({ user: z.string() }),
    ({ state, directory }, { user }) => {
      if (user === botOf(state).botUserId) return { ok: true, user: botUserObject(state) };
      const person = state.people.get(user) ?? findInOrganization(directory, state, user);
      return person ? answer(state, person) : failure('user_not_found');
    },
  ),

  'users.list': method(
    { token: 'bot', scope: 'users:read' },
    z.looseObject({
      limit: z.coerce.number().int().min(1).max(1000).default(1000),
      cursor: z.string().optional(),
    }),
    ({ state }, { limit, cursor }) => {
      const from = cursor ? Number(cursor) : 0;
      if (!Number.isInteger(from)) return failure('invalid_cursor');
      const all = [...state.people.values()];
      const withEmail = grantedScopes(state).includes(EMAIL_SCOPE);
      const members = all
        .slice(from, from + limit)
        .map((person) => userObject(state, person, withEmail));
      const next = from + limit < all.length ? String(from + limit) : '';
      return { ok: true, members, response_metadata: { next_cursor: next } };
    },
  ),

  'users.lookupByEmail': method(
    { token: 'bot', scope: EMAIL_SCOPE },
    z.looseObject({ email: z.string() }),
    ({ state }, { email }) => {
      const person = [...state.people.values()].find(
        (one) => one.email.toLowerCase() === email.toLowerCase() && !one.isDeactivated,
      );
      return person ? answer(state, person) : failure('users_not_found');
    },
  ),
};
