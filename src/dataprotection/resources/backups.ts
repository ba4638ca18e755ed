import { z } from 'zod';
import { subMilliseconds } from '../../dates.ts';
import type { CallOptions, ServiceClient } from '../client.ts';
import { dialectRules } from '../dialects/dialect.ts';
import { findOperation } from '../dialects/find-operation.ts';
import { idSchema, lenientObject, optional } from '../lenient-object.ts';
import { listPages } from '../paging/list-pages.ts';
import type { Page } from '../paging/page.ts';
import { volumeTags } from './volumes.ts';

const text = optional(z.string());

const backupSchema = lenientObject({
  id: idSchema,
  volumeId: idSchema,
  volumeNativeId: text,
  startTimestamp: text,
  expirationTimestamp: text,
  /** In gigabytes. */
  size: optional(z.number()),
  accountNativeId: text,
  awsRegion: text,
  awsAz: text,
  isEncrypted: optional(z.boolean()),
  kmsKeyNativeId: text,
  tags: volumeTags,
  /** `clumio_backup`, or `aws_snapshot`, which stays in its account and region. */
  type: text,
  volumeType: text,
  iops: optional(z.number()),
});

/** A backup of an EBS volume (§10 The live dialect). Timestamps are RFC 3339. */
export type Backup = z.output<typeof backupSchema>;

/**
 * A page of a volume's backups, newest first.
 * @param start the position of the first, from 0: a multiple of `perPage`
 * @param begun only those that began from `from` until before `until`
 * @throws {OperationUnavailableError} if the service has no such list.
 */
export async function readBackupPage(
  client: ServiceClient,
  volumeId: string,
  {
    start,
    perPage,
    begun,
    ...options
  }: CallOptions & {
    start: number;
    perPage: number;
    begun?: { from: Date; until: Date } | undefined;
  },
): Promise<Page<Backup>> {
  const target = await findOperation(client, 'listBackups', [], options);
  const query = {
    ...dialectRules[client.dialect].filtered({
      volume_id: { $eq: volumeId },
      // The service has no "from" and no "before".
      start_timestamp: begun && {
        $gt: subMilliseconds(begun.from, 1).toISOString(),
        $lte: subMilliseconds(begun.until, 1).toISOString(),
      },
    }),
    sort: '-start_timestamp',
    limit: String(perPage),
    start: String(Math.floor(start / perPage) + 1),
  };
  for await (const page of listPages(
    client,
    { target, query, itemSchema: backupSchema },
    options,
  )) {
    return page;
  }
  return { items: [], links: {} };
}

/** @throws {NotFoundError} if there is no such backup, or no longer. */
export async function readBackup(
  client: ServiceClient,
  backupId: string,
  options: CallOptions = {},
): Promise<Backup> {
  const target = await findOperation(client, 'readBackup', [backupId], options);
  return client.send({ method: 'GET', target, signal: options.signal }, backupSchema);
}
