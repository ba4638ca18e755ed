import {
  type ClientOptions,
  createServiceClient,
  type ServiceClient,
  type ServiceTransport,
} from '../../dataprotection/client.ts';
import { tokenExpiry } from '../../dataprotection/connection.ts';
import type { Region } from '../../dataprotection/region.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { serviceConnection } from './service-connection.ts';
import type { WorkspaceSettings, WorkspaceStore } from './workspace-store.ts';

export type { WorkspaceSettings };

/** A workspace's connected service, ready to be asked. */
export type Service = {
  connectionId: string;
  organizationalUnitId: string | undefined;
  /** E-mail address or id of the service's user whose token it is; undefined when nobody told. */
  tokenOwner: string | undefined;
  /** Undefined for a token that does not say when it ends. */
  tokenExpiresAt?: Date | undefined;
  client: ServiceClient;
};

/** Undefined while the workspace is not connected; answer with `notConnected` then. */
export type OpenService = (teamId: string) => Promise<Service | undefined>;

/** The region a workspace was connected to is no longer listed in the configuration. */
export class RegionMissingError extends Error {
  override name = 'RegionMissingError';
}

/** None of the keys that Belay has now opens the stored token. */
export class TokenUnreadableError extends Error {
  override name = 'TokenUnreadableError';
}

export const notConnected: Message = notice(
  'Belay is not connected to a data-protection service yet. An admin of this workspace can connect it with `/belay setup`.',
);

export function createOpenService(dependencies: {
  store: WorkspaceStore;
  regions: Region[];
  transport: ServiceTransport;
  /** `background` for what nobody waits for: people's calls go first. */
  options?: Pick<ClientOptions, 'priority'>;
}): OpenService {
  return async (teamId) => {
    const connection = await dependencies.store.openConnection(teamId);
    if (!connection) return undefined;
    if (connection === 'unreadable')
      throw new TokenUnreadableError('the stored token is unreadable');
    const region = dependencies.regions.find(({ id }) => id === connection.regionId);
    if (!region) throw new RegionMissingError(`region ${connection.regionId} is not configured`);
    return {
      connectionId: connection.id,
      organizationalUnitId: connection.organizationalUnitId,
      tokenOwner: connection.tokenOwner,
      tokenExpiresAt: tokenExpiry(connection.token),
      client: createServiceClient(
        serviceConnection(region, connection),
        dependencies.transport,
        dependencies.options,
      ),
    };
  };
}
