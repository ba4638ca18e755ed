import type { ServiceConnection } from '../../dataprotection/connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import type { Connection } from './workspace-store.ts';

/** How the service of a region is reached with a workspace's token. */
export function serviceConnection(
  { baseUrl, dialect, requestsPerSecond }: Region,
  { token, organizationalUnitId }: Pick<Connection, 'token' | 'organizationalUnitId'>,
): ServiceConnection {
  return { baseUrl, dialect, requestsPerSecond, token, organizationalUnitId };
}
