import type { Collection } from '../data/collection.ts';
import type { Store } from '../data/store.ts';
import { globalUnitId } from '../portal/portal-definitions.ts';
import type { Alert, Backup, Environment, Policy, User, Volume } from '../resources.ts';
import type { FaultOf } from './fault.ts';

type Change = FaultOf<'changing-list'>['change'];
type Changes<T> = { update: (resource: T) => T; newId: () => string };

/**
 * Changes a list as another client could between two pages: inserts an item before the given one,
 * removes it or updates it. A backup expires and an environment is disconnected by an update.
 */
export function changeList(
  path: string,
  itemId: string,
  change: Change,
  { store, now }: { store: Store; now: Date },
): void {
  const { newId } = store;
  if (path.startsWith('/users')) {
    const update = (user: User) => ({ ...user, full_name: `${user.full_name} (changed)` });
    // User ids are digits; these are above the ids of every portal.
    const digits = () => String(Number.parseInt(newId().slice(0, 8), 16) + 1_000_000_000);
    changeCollection(store.users, itemId, change, { update, newId: digits });
  }
  if (path.startsWith('/alerts')) {
    const time = now.toISOString();
    const update = (alert: Alert) => ({ ...alert, updated_timestamp: time });
    changeCollection(store.alerts, itemId, change, { update, newId });
  }
  if (path.startsWith('/policies')) {
    const update = (policy: Policy) => ({ ...policy, name: `${policy.name} (changed)` });
    changeCollection(store.policies, itemId, change, { update, newId });
  }
  if (path.startsWith('/backups')) {
    const expire = (backup: Backup) => ({ ...backup, expiration_timestamp: now.toISOString() });
    changeCollection(store.backups, itemId, change, { update: expire, newId });
  }
  if (path.startsWith('/datasources/aws/ebs-volumes')) {
    const update = (volume: Volume) => ({ ...volume, name: `${volume.name} (changed)` });
    changeCollection(store.volumes, itemId, change, { update, newId });
  }
  if (path.startsWith('/datasources/aws/environments')) {
    const unlink = (environment: Environment) => ({
      ...environment,
      connection_status: 'unlinked',
    });
    changeCollection(store.environments, itemId, change, { update: unlink, newId });
  }
}

function changeCollection<T extends { id: string }>(
  collection: Collection<T>,
  itemId: string,
  change: Change,
  { update, newId }: Changes<T>,
): void {
  const item = collection.find(itemId, globalUnitId);
  if (!item) return;
  const { resource } = item;
  if (change === 'remove') collection.remove(itemId);
  if (change === 'update') collection.replace(update(resource));
  if (change === 'insert') {
    collection.addFirst({ ...item, resource: { ...update(resource), id: newId() } });
  }
}
