import { z } from 'zod';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';

const text = optional(z.string());

export const volumeTags = optional(
  z.array(
    z.object({ key: z.string(), value: z.string().nullish() }).transform(({ key, value }) => ({
      key,
      value: value ?? '',
    })),
  ),
);

const volumeSchema = lenientObject({
  id: idSchema,
  name: text,
  volumeNativeId: text,
  accountNativeId: text,
  awsRegion: text,
  awsAz: text,
  environmentId: optional(idSchema),
  /** In bytes. */
  size: optional(z.number()),
  type: text,
  iops: optional(z.number()),
  isDeleted: optional(z.boolean()),
  lastBackupTimestamp: text,
  lastSnapshotTimestamp: text,
  tags: volumeTags,
});

/** An EBS volume (§10 The live dialect). Deleted volumes are included, because their backups remain. */
export type Volume = z.output<typeof volumeSchema>;

export type VolumeFilter = {
  /** Part of the name. */
  name?: string | undefined;
  /** Part of the id in AWS: `vol-…`. */
  nativeId?: string | undefined;
  environmentId?: string | undefined;
  /** Of the policy that protects it. */
  policyId?: string | undefined;
  /** If left out, both. */
  isDeleted?: boolean | undefined;
};

/**
 * EBS volumes, page by page.
 * @throws {OperationUnavailableError} if the service has no such list.
 */
export async function* listVolumes(
  client: ServiceClient,
  { name, nativeId, environmentId, policyId, isDeleted }: VolumeFilter,
  options: CallOptions = {},
): AsyncGenerator<Page<Volume>> {
  const target = await findOperation(client, 'listVolumes', [], options);
  const { pageSize, filtered } = dialectRules[client.dialect];
  const conditions = filtered({
    name: name ? { $contains: name } : undefined,
    volume_native_id: nativeId ? { $contains: nativeId } : undefined,
    environment_id: environmentId ? { $eq: environmentId } : undefined,
    'protection_info.policy_id': policyId ? { $eq: policyId } : undefined,
    is_deleted: { $in: isDeleted === undefined ? ['true', 'false'] : [String(isDeleted)] },
  });
  const list = { target, query: { ...pageSize, ...conditions }, itemSchema: volumeSchema };
  yield* listPages(client, list, options);
}

/** @throws {NotFoundError} if there is no such volume. */
export async function readVolume(
  client: ServiceClient,
  volumeId: string,
  options: CallOptions = {},
): Promise<Volume> {
  const target = await findOperation(client, 'readVolume', [volumeId], options);
  return client.send({ method: 'GET', target, signal: options.signal }, volumeSchema);
}
