import {
  type ClientOptions,
  createServiceClient,
  type ServiceClient,
  type ServiceTransport,
} from '../dataprotection/client.ts';
import { tokenExpiry } from '../dataprotection/connection.ts';
import { portalUrl, type Region } from '../dataprotection/region.ts';
import { ExplainedError } from '../explained-error.ts';
import { type Message, notice } from '../slack/ui/blocks.ts';
import { type ConnectionRef, type OpenedConnection, serviceConnection } from './workspace.ts';

/** The service of a connection. */
export type Service = {
  connectionId: string;
  /** The same for a connection and all that it replaced: what outlives a replacement refers to it. */
  originId: string;
  /** Undefined in a workspace with one connection, where nobody needs to read it. */
  connectionName?: string | undefined;
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
 * Opens the default connection unless an id names another. Undefined for a workspace that is not
 * connected: answer with `notConnected`; and for a connection that was removed or replaced.
 *
 * @throws RegionMissingError
 * @throws TokenUnreadableError
 */
export type OpenService = (
  teamId: string,
  which?: ConnectionRef | undefined,
) => Promise<Service | undefined>;

/** The region of the workspace's connection is no longer in the configuration. */
export class RegionMissingError extends ExplainedError {
  override name = 'RegionMissingError';

  constructor(regionId: string) {
    super(
      `region ${regionId} is not configured`,
      "This workspace's region is no longer in Belay's configuration. Nothing was changed. Ask your Belay administrator to add the region again, or an admin to run `/belay setup`.",
    );
  }
}

/** None of the configured encryption keys opens the stored token. */
export class TokenUnreadableError extends ExplainedError {
  override name = 'TokenUnreadableError';

  constructor(message: string) {
    super(
      message,
      "Belay can't decrypt the stored API token with its current encryption keys. Nothing was changed. An admin can enter the token again with `/belay setup`.",
    );
  }
}

export const notConnected: Message = notice(
  "Belay isn't connected to the data-protection service. An admin can connect Belay with `/belay setup`.",
);

/**
 * The service of a connection as it is stored.
 * @throws RegionMissingError
 * @throws TokenUnreadableError
 */
export type ServiceOf = (connection: OpenedConnection) => Service | undefined;

export function createServiceOf({
  regions,
  transport,
  options,
}: {
  regions: Region[];
  transport: ServiceTransport;
  /** Priority `background` for calls that nobody waits for, so that people's calls go first. */
  options?: Pick<ClientOptions, 'priority'>;
}): ServiceOf {
  return (connection) => {
    if (!connection) return undefined;
    if (connection === 'unreadable') {
      throw new TokenUnreadableError('the stored token is unreadable');
    }
    const region = regions.find(({ id }) => id === connection.regionId);
    if (!region) throw new RegionMissingError(connection.regionId);
    return {
      connectionId: connection.id,
      originId: connection.originId,
      connectionName: connection.isOnly ? undefined : connection.name,
      organizationalUnitId: connection.organizationalUnitId,
      tokenOwner: connection.tokenOwner,
      tokenExpiresAt: tokenExpiry(connection.token),
      client: createServiceClient(serviceConnection(region, connection), transport, options),
      portalUrl: portalUrl(region),
    };
  };
}

/** Outside a call, which reads the connections of its workspace once. */
export function createOpenService(
  store: { openConnection: (teamId: string, which?: ConnectionRef) => Promise<OpenedConnection> },
  serviceOf: ServiceOf,
): OpenService {
  return async (teamId, which) => serviceOf(await store.openConnection(teamId, which));
}
