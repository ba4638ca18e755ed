import { organizationKey, type ServiceConnection } from '../connection.ts';
import type { Link } from '../paging/link.ts';

/** The links of each resource's operations: resource → operation id → link. */
export type Discovery = ReadonlyMap<string, Readonly<Record<string, Link>>>;

/** The cached result of one connection. An undefined `discovery` is cached too: there is none. */
export type CachedDiscovery = {
  get: () => { discovery: Discovery | undefined } | undefined;
  set: (discovery: Discovery | undefined) => void;
};

export type DiscoveryCache = ReturnType<typeof createDiscoveryCache>;

type Options = { maxAgeMs?: number; maxEntries?: number; now?: () => number };

/**
 * Discovery results of all clients of a process. They expire after `maxAgeMs`, because a service
 * may add operations; above `maxEntries` the oldest entry is dropped.
 */
export function createDiscoveryCache({
  maxAgeMs = 10 * 60_000,
  maxEntries = 500,
  now = () => performance.now(),
}: Options = {}) {
  const entries = new Map<string, { discovery: Discovery | undefined; expiresAt: number }>();

  return {
    forConnection(connection: ServiceConnection): CachedDiscovery {
      // Organizational units may be offered different operations.
      const key = `${organizationKey(connection)} ${connection.organizationalUnitId ?? ''}`;
      return {
        get() {
          const entry = entries.get(key);
          return entry && now() < entry.expiresAt ? entry : undefined;
        },
        set(discovery) {
          entries.delete(key);
          entries.set(key, { discovery, expiresAt: now() + maxAgeMs });
          const [oldest] = entries.keys();
          if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
        },
      };
    },
    size: () => entries.size,
  };
}
