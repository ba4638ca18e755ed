import type { ServiceClient } from '../../dataprotection/client.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { collectItems } from '../../dataprotection/paging/collect-items.ts';
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
 * tag, as `key=value`, `key:value`, or one of both. If it is empty, all volumes, or those of the policy.
 */
export async function findVolumes(
  client: ServiceClient,
  text: string,
  policyId?: string | undefined,
): Promise<FoundVolumes> {
  const signal = AbortSignal.timeout(searchMs);
  const search = async (filter: VolumeFilter, matches?: (volume: Volume) => boolean) => {
    const { items, isComplete } = await collectItems(
      listVolumes(client, filter, { signal }),
      matches,
    );
    return { volumes: items, isComplete };
  };
  if (text === '') return search({ policyId });
  if (/^vol-/i.test(text)) return search({ nativeId: text.toLowerCase() });
  if (/^[0-9a-f-]{36}$/i.test(text)) {
    const volume = await undefinedIfGone(readVolume(client, text, { signal }));
    if (volume) return { volumes: [volume], isComplete: true };
  }
  const byName = await search({ name: text });
  if (byName.volumes.length > 0) return preferExactName(byName, text);
  // By name as well, because the service may distinguish upper and lower case.
  const found = await search({}, (volume) => hasInName(volume, text) || hasTag(volume, text));
  return preferExactName(found, text);
}

function preferExactName(found: FoundVolumes, text: string): FoundVolumes {
  const exact = found.volumes.filter(({ name }) => name?.toLowerCase() === text.toLowerCase());
  return exact.length > 0 ? { ...found, volumes: exact } : found;
}

function hasInName({ name = '' }: Volume, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

function hasTag({ tags = [] }: Volume, text: string): boolean {
  const wanted = text.toLowerCase();
  return tags.some(({ key, value }) =>
    [key, value, `${key}=${value}`, `${key}:${value}`].some((one) => one.toLowerCase() === wanted),
  );
}
