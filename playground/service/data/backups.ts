import type { Backup, Duration, Policy, Volume } from '../resources.ts';
import type { Owned } from './collection.ts';
import { ebsSlasOf } from './policies.ts';
import type { Random } from './random.ts';
import { gigabyte } from './volumes.ts';

const oneHour = 60 * 60 * 1000;
const oneDay = 24 * oneHour;
/** The units that sample policies use. */
const unitMs = new Map([
  ['hour', oneHour],
  ['day', oneDay],
  ['month', 30 * oneDay],
  ['year', 365 * oneDay],
]);
/** Fewer than a policy asks for, so that a thousand backups are enough for all volumes. */
const maxBackupsPerSla = 20;
const snapshotCount = 3;

type BackupOptions = {
  now: Date;
  random: Random;
  volumes: readonly Owned<Volume>[];
  policies: readonly Policy[];
};

/**
 * The backups that the policies of the volumes have made and not yet deleted, those of deleted
 * volumes included. Newest first for each volume and SLA.
 */
export function createBackups({ now, random, volumes, policies }: BackupOptions): Owned<Backup>[] {
  return volumes.flatMap((owned) => {
    const { resource: volume } = owned;
    const policy = policies.find(({ id }) => id === volume.protection?.policyId);
    const fixed = { ...copyFields(volume), ...usageOf(volume, random) };
    return [...(policy ? scheduledRuns(policy, volume) : []), ...snapshotRuns(volume)]
      .filter(({ expires }) => expires > now.getTime())
      .map(({ start, expires, ...run }) => ({
        ...owned,
        resource: {
          ...fixed,
          ...run,
          id: random.uuid(),
          start_timestamp: new Date(start).toISOString(),
          expiration_timestamp: new Date(expires).toISOString(),
        },
      }));
  });
}

type Run = Pick<Backup, 'type' | 'backup_tier'> & { start: number; expires: number };

/** Backups kept for years are in the tier for rare use. */
function scheduledRuns(policy: Policy, { last_backup_timestamp }: Volume): Run[] {
  if (last_backup_timestamp === null) return [];
  const newest = Date.parse(last_backup_timestamp);
  return ebsSlasOf(policy).flatMap(({ rpo_frequency, retention_duration }, index) =>
    Array.from({ length: maxBackupsPerSla }, (_, nth): Run => {
      // A backup of the first SLA is at the same time the newest of the others.
      const start = newest - (nth + (index === 0 ? 0 : 1)) * toMs(rpo_frequency);
      const expires = start + toMs(retention_duration);
      const backup_tier = retention_duration.units === 'year' ? 'lite' : 'standard';
      return { type: 'clumio_backup', backup_tier, start, expires };
    }),
  );
}

function snapshotRuns({ last_snapshot_timestamp }: Volume): Run[] {
  if (last_snapshot_timestamp === null) return [];
  const newest = Date.parse(last_snapshot_timestamp);
  return Array.from({ length: snapshotCount }, (_, nth) => {
    const start = newest - nth * oneDay;
    return { type: 'aws_snapshot', backup_tier: '', start, expires: start + 7 * oneDay };
  });
}

function copyFields(volume: Volume) {
  return {
    volume_id: volume.id,
    volume_native_id: volume.volume_native_id,
    account_native_id: volume.account_native_id,
    aws_region: volume.aws_region,
    aws_az: volume.aws_az,
    is_encrypted: volume.is_encrypted,
    kms_key_native_id: volume.kms_key_native_id,
    volume_type: volume.type,
    iops: volume.iops,
    size: volume.size / gigabyte,
    tags: volume.tags.map(({ key, value }) => ({ key, value })),
    migration_timestamp: null,
  };
}

function usageOf({ size }: Volume, random: Random) {
  const isBrowsable = random.chance(0.8);
  const reason = random.pick(['file_limit_exceeded', 'browsing_unavailable']);
  return {
    is_browsable: isBrowsable,
    browsing_failed_reason: isBrowsable ? null : reason,
    utilized_size_in_bytes: Math.floor(size * (0.2 + 0.7 * random.fraction())),
  };
}

function toMs({ units, value }: Duration): number {
  return (unitMs.get(units) ?? oneDay) * value;
}
