import {
  type ClientOptions,
  createServiceClient,
  type ServiceClient,
  type ServiceTransport,
} from '../../dataprotection/client.ts';
import { tokenExpiry } from '../../dataprotection/connection.ts';
import { portalUrl, type Region } from '../../dataprotection/region.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { type Connection, serviceConnection } from './workspace.ts';

/** The service of a workspace's connection. */
export type Service = {
  connectionId: string;
  organizationalUnitId: string | undefined;
  /** E-mail address or id of the service's user whose token it is; undefined if setup does not say. */
  tokenOwner: string | undefined;
  /** Undefined for a token that does not contain its expiry. */
  tokenExpiresAt?: Date | undefined;
  client: ServiceClient;
  /** Where people sign in to the service; undefined if the configuration has no address. */
  portalUrl?: string | undefined;
};

/**
 * Undefined for a workspace that is not connected: answer with `notConnected`.
 *
 * @throws RegionMissingError
 * @throws TokenUnreadableError
 */
export type OpenService = (teamId: string) => Promise<Service | undefined>;

/** The region of the workspace's connection is no longer in the configuration. */
export class RegionMissingError extends Error {
  override name = 'RegionMissingError';
}

/** None of the configured encryption keys opens the stored token. */
export class TokenUnreadableError extends Error {
  override name = 'TokenUnreadableError';
}

export const notConnected: Message = notice(
  "Belay isn't connected to the data-protection service. An admin can connect Belay with `/belay setup`.",
);

export function createOpenService({
  store,
  regions,
  transport,
  options,
}: {
  store: { openConnection: (teamId: string) => Promise<Connection | 'unreadable' | undefined> };
  regions: Region[];
  transport: ServiceTransport;
  /** Priority `background` for calls that nobody waits for, so that people's calls go first. */
  options?: Pick<ClientOptions, 'priority'>;
}): OpenService {
  return async (teamId) => {
    const connection = await store.openConnection(teamId);
    if (!connection) return undefined;
    if (connection === 'unreadable') {
      throw new TokenUnreadableError('the stored token is unreadable');
    }
    const region = regions.find(({ id }) => id === connection.regionId);
    if (!region) throw new RegionMissingError(`region ${connection.regionId} is not configured`);
    return {
      connectionId: connection.id,
      organizationalUnitId: connection.organizationalUnitId,
      tokenOwner: connection.tokenOwner,
      tokenExpiresAt: tokenExpiry(connection.token),
      client: createServiceClient(serviceConnection(region, connection), transport, options),
      portalUrl: portalUrl(region),
    };
  };
}
