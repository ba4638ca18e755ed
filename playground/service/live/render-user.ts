import type { Owned } from '../collection.ts';
import { link } from '../links.ts';
import { renderOnce } from '../render-page.ts';
import type { User } from '../resources.ts';
import { etagOf } from './etag.ts';
import { roleOf } from './role-of.ts';

type Item = Owned<User>;

/** Version 1 says more of a single user than of one in a list. */
export function renderSingleUser(item: Item, version: number) {
  if (version !== 1) return renderSecondVersion(item);
  return {
    ...renderFirstVersion(item),
    assigned_organizational_unit_ids: [item.organizationalUnitId],
  };
}

const [firstVersionText, secondVersionText] = [
  renderOnce(renderFirstVersion),
  renderOnce(renderSecondVersion),
];

export function userTextIn(version: number): (item: Item) => string {
  return version === 1 ? firstVersionText : secondVersionText;
}

function renderFirstVersion({ resource }: Item) {
  const { id, name, description } = roleOf(resource);
  return { ...common(resource), assigned_role: id, _embedded: { name, description } };
}

function renderSecondVersion({ resource, organizationalUnitId }: Item) {
  const { id, name, description } = roleOf(resource);
  return {
    ...common(resource),
    access_control_configuration: [
      { role_id: id, organizational_unit_ids: [organizationalUnitId] },
    ],
    last_password_change_timestamp: resource.last_activity_timestamp ?? null,
    _etag: etagOf(resource),
    _embedded: { 'read-role': [{ id, name, description }] },
  };
}

function common(user: User) {
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
