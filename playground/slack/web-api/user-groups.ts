import { z } from 'zod';
import type { LocalState } from '../state.ts';
import type { UserGroup } from '../workspace.ts';
import { type ApiMethod, failure, method } from './method.ts';

const needs = { token: 'bot', scope: 'usergroups:read' } as const;
const flag = z.union([z.boolean(), z.enum(['true', 'false'])]).optional();
const isSet = (value: z.infer<typeof flag>) => value === true || value === 'true';

/** https://docs.slack.dev/reference/objects/usergroup-object */
const groupObject = ({ workspace }: LocalState, group: UserGroup) => ({
  id: group.groupId,
  team_id: workspace.teamId,
  is_usergroup: true,
  name: group.name,
  description: '',
  handle: group.handle,
  is_external: false,
  date_create: 1_446_598_059,
  date_update: 1_446_598_059,
  date_delete: group.isDisabled ? 1_446_670_362 : 0,
  user_count: group.members.length,
});

export const userGroupMethods: Record<string, ApiMethod> = {
  'usergroups.list': method(
    needs,
    z.looseObject({ include_disabled: flag }),
    ({ state }, { include_disabled }) => ({
      ok: true,
      usergroups: [...state.userGroups.values()]
        .filter(({ isDisabled }) => !isDisabled || isSet(include_disabled))
        .map((group) => groupObject(state, group)),
    }),
  ),

  'usergroups.users.list': method(
    needs,
    z.looseObject({ usergroup: z.string(), include_disabled: flag }),
    ({ state }, { usergroup, include_disabled }) => {
      const group = state.userGroups.get(usergroup);
      if (!group || (group.isDisabled && !isSet(include_disabled))) {
        return failure('no_such_subteam');
      }
      return { ok: true, users: [...group.members] };
    },
  ),
};
