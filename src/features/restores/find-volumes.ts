import type { ServiceClient } from '../../dataprotection/client.ts';
import { NotFoundError, ServiceTimeoutError } from '../../dataprotection/http/errors.ts';
import {
  listVolumes,
  readVolume,
  type Volume,
  type VolumeFilter,
} from '../../dataprotection/resources/volumes.ts';

export type FoundVolumes = {
  volumes: Volume[];
  /** False when time ran out before the last page: there may be more. */
  isComplete: boolean;
};

/** How long a person waits for a search through all volumes. */
const searchMs = 8000;

/**
 * The volumes that a text can mean, deleted ones included: by the service's id, AWS's id, the name, or a
 * tag, as `key=value`, `key:value`, or one of both. All volumes if it is empty.
 */
export async function findVolumes(client: ServiceClient, text: string): Promise<FoundVolumes> {
  const signal = AbortSignal.timeout(searchMs);
  const search = (filter: VolumeFilter, matches?: (volume: Volume) => boolean) =>
    readAll(client, filter, { signal, matches });
  if (text === '') return search({});
  if (/^vol-/i.test(text)) return search({ nativeId: text.toLowerCase() });
  if (/^[0-9a-f-]{36}$/i.test(text)) {
    const volume = await readOrNothing(readVolume(client, text, { signal }));
    if (volume) return { volumes: [volume], isComplete: true };
  }
  const byName = await search({ name: text });
  const exact = byName.volumes.filter(({ name }) => name?.toLowerCase() === text.toLowerCase());
  if (exact.length > 0) return { ...byName, volumes: exact };
  return byName.volumes.length > 0 ? byName : search({}, (volume) => hasTag(volume, text));
}

async function readAll(
  client: ServiceClient,
  filter: VolumeFilter,
  {
    signal,
    matches = () => true,
  }: { signal: AbortSignal; matches?: ((volume: Volume) => boolean) | undefined },
): Promise<FoundVolumes> {
  const volumes: Volume[] = [];
  try {
    for await (const { items } of listVolumes(client, filter, { signal })) {
      volumes.push(...items.filter(matches));
    }
  } catch (error) {
    // An incomplete list, marked as such, helps more than a failure; an empty one does not.
    if (!(error instanceof ServiceTimeoutError) || volumes.length === 0) throw error;
    return { volumes, isComplete: false };
  }
  return { volumes, isComplete: true };
}

function hasTag({ tags = [] }: Volume, text: string): boolean {
  const wanted = text.toLowerCase();
  return tags.some(({ key, value }) =>
    [key, value, `${key}=${value}`, `${key}:${value}`].some((one) => one.toLowerCase() === wanted),
  );
}

export async function readOrNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
