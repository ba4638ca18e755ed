import { z } from 'zod';
import { botUserObject, userObject } from '../people.ts';
import type { LocalState } from '../state.ts';
import type { WorkspacePerson } from '../workspace.ts';
import { type ApiMethod, failure, method } from './method.ts';

const EMAIL_SCOPE = 'users:read.email';

const answer = (state: LocalState, person: WorkspacePerson) => {
  const withEmail = state.workspace.app.scopes.includes(EMAIL_SCOPE);
  return { ok: true, user: userObject(state, person, withEmail) };
};

export const userMethods: Record<string, ApiMethod> = {
  'users.info': method(
    { token: 'bot', scope: 'users:read' },
    z.looseObject({ user: z.string() }),
    ({ state }, { user }) => {
      if (user === state.workspace.app.botUserId) return { ok: true, user: botUserObject(state) };
      const person = state.people.get(user);
      return person ? answer(state, person) : failure('user_not_found');
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
