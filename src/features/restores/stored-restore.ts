import { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Backup } from '../../dataprotection/resources/backups.ts';
import { type Environment, isRestoreTarget } from '../../dataprotection/resources/environments.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';

const place = z.object({ account: z.string(), region: z.string() });

/** The payload of a request to restore a backup of an EBS volume to a new one. Times are ISO 8601. */
export const restorePayload = z.object({
  volume: z.object({ id: z.string(), name: z.string(), nativeId: z.string().optional() }),
  backup: z.object({
    id: z.string(),
    startedAt: z.string(),
    expiresAt: z.string().optional(),
    sizeInGb: z.number().optional(),
  }),
  /** When the newest backup of the volume was made, as of the request. */
  newestAt: z.string().optional(),
  requestedAt: z.string(),
  /** Where people find the new volume. */
  portalUrl: z.string().optional(),
  /** Where the backup lies, and the key that encrypts it. */
  from: place.extend({ key: z.string().optional() }),
  to: place.extend({ accountName: z.string().optional() }),
  target: z.object({
    environmentId: z.string(),
    awsAz: z.string(),
    type: z.string(),
    iops: z.int().optional(),
    kmsKeyNativeId: z.string().optional(),
    /** Without the tag of the request, which Belay adds. */
    tags: z.array(z.object({ key: z.string(), value: z.string() })),
  }),
});
export type RestorePayload = z.infer<typeof restorePayload>;

/** What the decision rests on: the backup and the target, as they were at the request. */
export const restoreSnapshot = z.object({
  /** Null once it is gone. */
  backup: z
    .object({
      ...place.shape,
      id: z.string(),
      volumeId: z.string(),
      startedAt: z.string().nullable(),
      expiresAt: z.string().nullable(),
      sizeInGb: z.number().nullable(),
      type: z.string().nullable(),
      key: z.string().nullable(),
      isExpired: z.boolean(),
    })
    .nullable(),
  /** Null once it is gone. */
  target: place.extend({ isAvailable: z.boolean(), hasZone: z.boolean() }).nullable(),
});
export type RestoreSnapshot = z.infer<typeof restoreSnapshot>;

/** The backup and the target as they are now; undefined once they are gone. */
export type RestoreSubject = {
  client: ServiceClient;
  backup: Backup | undefined;
  environment: Environment | undefined;
  now: Date;
};

export function snapshotBackup(backup: Backup, now: Date): NonNullable<RestoreSnapshot['backup']> {
  const { id, volumeId, startTimestamp, expirationTimestamp, size, type } = backup;
  return {
    id,
    volumeId,
    account: backup.accountNativeId ?? '',
    region: backup.awsRegion ?? '',
    startedAt: startTimestamp ?? null,
    expiresAt: expirationTimestamp ?? null,
    sizeInGb: size ?? null,
    type: type ?? null,
    key: backup.kmsKeyNativeId ?? null,
    isExpired: isExpired(backup, now),
  };
}

export function snapshotTarget(
  environment: Environment,
  zone: string,
): NonNullable<RestoreSnapshot['target']> {
  return {
    account: environment.accountNativeId ?? '',
    region: environment.awsRegion ?? '',
    isAvailable: isRestoreTarget(environment),
    hasZone: environment.awsAz?.includes(zone) ?? false,
  };
}

/** One without a readable expiry hasn't: the service decides. */
export function isExpired({ expirationTimestamp }: Backup, now: Date): boolean {
  const at = parseTimestamp(expirationTimestamp);
  return at !== undefined && at <= now;
}

/** How the new volume differs from the backup: the account, the region, the encryption key. */
export function listDepartures({ from, to, target }: RestorePayload) {
  return {
    account: from.account !== to.account,
    region: from.region !== to.region,
    key: from.key !== target.kmsKeyNativeId,
  };
}

export function leavesHome(payload: RestorePayload): boolean {
  return Object.values(listDepartures(payload)).includes(true);
}
