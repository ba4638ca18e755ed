import type { ServiceConnection } from '../../../dataprotection/connection.ts';
import type { Region } from '../../../dataprotection/region.ts';
import {
  type CurrentSetup,
  changedProtection,
  type ProtectedUsers,
  protectedKinds,
  serviceConnection,
  type WorkspaceStore,
} from '../../workspaces/index.ts';

/** Which entries match nobody in the service now; undefined if it couldn't be read. */
export type FindUnusedProtection = (
  connection: ServiceConnection,
  added: ProtectedUsers,
) => Promise<ProtectedUsers | undefined>;

/**
 * What of a change protects nobody in any service of the workspace, for a notice: a typo isn't refused,
 * because the user may come later. `not-checked` if one of the services couldn't be read.
 */
export async function findUnused(
  [before, after]: [before: ProtectedUsers, after: ProtectedUsers],
  connections: (ServiceConnection | undefined)[],
  find: FindUnusedProtection,
): Promise<ProtectedUsers | 'not-checked' | undefined> {
  const change = changedProtection(before, after);
  let unused = {
    addresses: change?.addresses.added ?? [],
    domains: change?.domains.added ?? [],
    roles: change?.roles.added ?? [],
  };
  let isRead = true;
  for (const connection of connections) {
    if (isEmpty(unused)) return undefined;
    const left = connection && (await find(connection, unused));
    isRead &&= left !== undefined;
    unused = left ?? unused;
  }
  if (isEmpty(unused)) return undefined;
  return isRead ? unused : 'not-checked';
}

function isEmpty(users: ProtectedUsers): boolean {
  return Object.values(users).every((listed) => listed.length === 0);
}

/** The services of a workspace; undefined for one whose token or region can't be used. */
export function openAll(
  teamId: string,
  { connections }: Pick<CurrentSetup, 'connections'>,
  { store, regions }: { store: Pick<WorkspaceStore, 'openConnection'>; regions: Region[] },
): Promise<(ServiceConnection | undefined)[]> {
  return Promise.all(
    connections.map(async ({ originId }) => {
      const opened = await store.openConnection(teamId, { originId });
      if (!opened || opened === 'unreadable') return undefined;
      const region = regions.find(({ id }) => id === opened.regionId);
      return region && serviceConnection(region, opened);
    }),
  );
}

const maxListed = 10;

const sentences = {
  addresses: 'No user currently has these addresses',
  domains: 'No user currently has an address at these domains',
  roles: 'The service currently has no roles with these names or IDs',
};

/** Lines for the person who saves it. `show`: how a typed text appears there. */
export function unusedLines(
  unused: ProtectedUsers | 'not-checked' | undefined,
  show: (text: string) => string,
): string[] {
  if (unused === undefined) return [];
  if (unused === 'not-checked') {
    return [
      "Belay couldn't check whether the added protected users and roles exist in the service",
    ];
  }
  return protectedKinds.flatMap((kind) => {
    const listed = unused[kind].slice(0, maxListed).map(show).join(', ');
    if (listed === '') return [];
    const more = unused[kind].length - maxListed;
    return [
      `${sentences[kind]}: ${listed}${more > 0 ? ` and ${more} more` : ''}. Check the spelling`,
    ];
  });
}
