import { organisationKey, type ServiceConnection } from '../connection.ts';
import type { Link } from '../paging/link.ts';

/** The operations of each resource, by their ids. */
export type Discovery = ReadonlyMap<string, Readonly<Record<string, Link>>>;

/** What one connection was told; `discovery` is undefined where the service does not say. */
export type KnownDiscovery = {
  recall: () => { discovery: Discovery | undefined } | undefined;
  keep: (discovery: Discovery | undefined) => void;
};

export type Discoveries = {
  of: (connection: ServiceConnection) => KnownDiscovery;
  size: () => number;
};

type Options = { keepMs?: number; most?: number; now?: () => number };

/**
 * What services have said that they offer, for all clients of a process. It is asked again after
 * `keepMs`, since a service may learn; of more than `most` the one kept longest is forgotten.
 */
export function createDiscoveries({
  keepMs = 10 * 60_000,
  most = 500,
  now = () => performance.now(),
}: Options = {}): Discoveries {
  const kept = new Map<string, { discovery: Discovery | undefined; until: number }>();

  return {
    of(connection) {
      // A unit may not be let see what another one is.
      const key = `${organisationKey(connection)} ${connection.organizationalUnitId ?? ''}`;
      return {
        recall() {
          const found = kept.get(key);
          return found && now() < found.until ? found : undefined;
        },
        keep(discovery) {
          kept.delete(key);
          kept.set(key, { discovery, until: now() + keepMs });
          const [oldest] = kept.keys();
          if (kept.size > most && oldest !== undefined) kept.delete(oldest);
        },
      };
    },
    size: () => kept.size,
  };
}
