import type { CallOptions, ServiceClient } from '../client.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';

/** The fields that a restore may set; what is left out is up to the service. */
type RestoreTarget = {
  environmentId: string;
  awsAz: string;
  type: string;
  iops?: number | undefined;
  kmsKeyNativeId?: string | undefined;
  tags: { key: string; value: string }[];
};

/** What restoring a backup to a new volume sends. */
export function restoreRequestBody(backupId: string, target: RestoreTarget) {
  return {
    source: { backup_id: backupId },
    target: {
      environment_id: target.environmentId,
      aws_az: target.awsAz,
      type: target.type,
      // The service fails later, without a clear message, if these are sent empty.
      ...(target.iops !== undefined && { iops: target.iops }),
      ...(target.kmsKeyNativeId !== undefined && { kms_key_native_id: target.kmsKeyNativeId }),
      tags: target.tags,
    },
  };
}

const acceptedSchema = lenientObject({ taskId: optional(idSchema) });

/**
 * Starts to restore a backup to a new volume; `body` is sent as it is. Resolves to the id of the task.
 * Every call makes another volume.
 * @throws {ServiceError} with `mayHaveActed` if a volume may be restored.
 */
export async function restoreVolume(
  client: ServiceClient,
  body: string,
  options: CallOptions = {},
): Promise<string | undefined> {
  const target = await findOperation(client, 'restoreVolume', [], options);
  const request = { method: 'POST', target, body, signal: options.signal } as const;
  return (await client.send(request, acceptedSchema)).taskId;
}
