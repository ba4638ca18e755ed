import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import { serviceConnection } from './service-connection.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** What is known of whoever was named as the token's owner. */
export type OwnerCheck = 'not-named' | 'known' | 'unknown' | 'not-checkable';

/**
 * Whether the service knows the token's owner: a slip of the pen would protect nobody. It is looked
 * up after the setup was saved and does not stop it, because a token need not see its own user.
 */
export async function checkOwner(
  { teamId, region }: { teamId: string; region: Region },
  {
    store,
    knowsUser,
  }: {
    store: Pick<WorkspaceStore, 'openConnection'>;
    knowsUser: (connection: ServiceConnection, text: string) => Promise<boolean | undefined>;
  },
): Promise<OwnerCheck> {
  const connection = await store.openConnection(teamId);
  if (!connection || connection === 'unreadable') return 'not-checkable';
  const owner = connection.tokenOwner?.trim();
  if (!owner) return 'not-named';
  const isKnown = await knowsUser(serviceConnection(region, connection), owner);
  if (isKnown === undefined) return 'not-checkable';
  return isKnown ? 'known' : 'unknown';
}
