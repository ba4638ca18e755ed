import type { Owned } from '../collection.ts';
import { roles } from '../data/roles.ts';
import { link } from '../links.ts';
import { renderOnce } from '../render-page.ts';
import type { Role, User } from '../resources.ts';
import { accessOf } from './access-of.ts';
import { etagOf } from './etag.ts';

type Item = Owned<User>;

/** Version 1 says more of a single user than of one in a list. */
export function renderSingleUser(item: Item, version: number) {
  if (version !== 1) return renderSecondVersion(item);
  return {
    ...renderFirstVersion(item),
    assigned_organizational_unit_ids: accessOf(item)[0]?.unitIds ?? [],
  };
}

const [firstVersionText, secondVersionText] = [
  renderOnce(renderFirstVersion),
  renderOnce(renderSecondVersion),
];

export function userTextIn(version: number): (item: Item) => string {
  return version === 1 ? firstVersionText : secondVersionText;
}

/** Version 1 knows of one role only. */
function renderFirstVersion(item: Item) {
  const [role] = rolesOf(item);
  return {
    ...common(item.resource),
    assigned_role: role?.id ?? null,
    _embedded: { name: role?.name ?? null, description: role?.description ?? null },
  };
}

function renderSecondVersion(item: Item) {
  const { resource } = item;
  return {
    ...common(resource),
    access_control_configuration: accessOf(item).map(({ roleId, unitIds }) => ({
      role_id: roleId,
      organizational_unit_ids: unitIds,
    })),
    last_password_change_timestamp: resource.last_activity_timestamp ?? null,
    _etag: etagOf(resource),
    _embedded: {
      'read-role': rolesOf(item).map(({ id, name, description }) => ({ id, name, description })),
    },
  };
}

function rolesOf(item: Item): Role[] {
  return accessOf(item).flatMap(({ roleId }) => roles.filter(({ id }) => id === roleId));
}

function common({ access: _, ...user }: User) {
  const path = `/users/${user.id}`;
  return {
    ...user,
    last_activity_timestamp: user.last_activity_timestamp ?? null,
    organizational_unit_count: 1,
    _links: {
      _self: link(path),
      'update-user': link(path, 'patch'),
      'delete-user': link(path, 'delete'),
    },
  };
}
