import { hash } from 'node:crypto';
import type { Environment, Policy, Volume } from '../resources.ts';
import type { Owned } from './collection.ts';
import type { NonEmpty, Random } from './random.ts';

export const defaultVolumeCount = 48;
export const gigabyte = 1024 ** 3;
const oneHour = 60 * 60 * 1000;
const oneDay = 24 * oneHour;

/** Like the names in sample alerts, so that some of those lead to a volume. */
const workloads: NonEmpty<string> = ['billing', 'orders', 'search', 'ledger', 'mail', 'media'];

/** A name that would ping a channel or break a layout if not escaped. */
const hostileName = { index: 9, name: '<!here> ledger & *archive*' };

/** The index of a volume that has AWS snapshots, but no other backups. */
const onlySnapshots = 14;

/** Types with the IOPS that sample volumes have; 0 where it can't be chosen. */
const kinds: NonEmpty<Pick<Volume, 'type' | 'iops'>> = [
  { type: 'gp3', iops: 3_000 },
  { type: 'gp3', iops: 6_000 },
  { type: 'gp2', iops: 0 },
  { type: 'io1', iops: 2_000 },
  { type: 'io2', iops: 8_000 },
  { type: 'st1', iops: 0 },
];

type VolumeOptions = {
  now: Date;
  count: number;
  random: Random;
  environments: readonly Owned<Environment>[];
  /** The policies for EBS volumes of a unit. */
  policiesIn: (unitId: string) => readonly Policy[];
};

/**
 * The volumes of all environments with EBS. Most are protected; some are unprotected, deleted or
 * unsupported, and the last backup of some failed. A volume belongs to its environment's unit.
 */
export function createVolumes(options: VolumeOptions): Owned<Volume>[] {
  const homes = options.environments.filter(({ resource }) =>
    resource.services_enabled.includes('ebs'),
  );
  return Array.from({ length: options.count }, (_, index) => index).flatMap((index) => {
    const home = homes[index % homes.length];
    return home ? [{ ...home, resource: createVolume(index, home, options) }] : [];
  });
}

function createVolume(
  index: number,
  { resource: environment, organizationalUnitId }: Owned<Environment>,
  { now, random, policiesIn }: VolumeOptions,
): Volume {
  const workload = workloads[index % workloads.length] ?? '';
  const number = 1 + 5 * Math.floor(index / workloads.length);
  const name = index === hostileName.index ? hostileName.name : `${workload}-volume-${number}`;
  const team = createTag('team', workload);
  const isEncrypted = random.chance(0.6);
  const policy = random.pick(policiesIn(organizationalUnitId));
  const isDirect = random.chance(0.5);
  const isUnprotected = index % 8 === 3;
  const isUnsupported = index === 29;
  const ago = (ms: number) => new Date(now.getTime() - ms).toISOString();
  return {
    id: random.uuid(),
    name,
    volume_native_id: nativeId(random.uuid()),
    environment_id: environment.id,
    account_native_id: environment.account_native_id,
    aws_region: environment.aws_region,
    aws_az: random.pick(environment.aws_az) ?? '',
    size: random.integer(1, 40) * 25 * gigabyte,
    ...random.pick(kinds),
    is_encrypted: isEncrypted,
    kms_key_native_id: isEncrypted ? environment.kmsKeyIds[0] : null,
    deletion_timestamp: null,
    unsupported_reason: isUnsupported ? 'The volume type is not supported.' : null,
    tags: [createTag('Name', name), team, createTag('account', environment.account_name)],
    ...(policy && !isUnprotected && !isUnsupported
      ? {
          protection: { policyId: policy.id, tagId: isDirect ? null : team.id },
          ...createBackupTimes(index, ago, random),
        }
      : neverBackedUp),
  };
}

export const neverBackedUp = {
  protection: null,
  lastAttempt: null,
  last_backup_timestamp: null,
  last_snapshot_timestamp: null,
} as const;

type BackupTimes = Pick<
  Volume,
  'deletion_timestamp' | 'lastAttempt' | 'last_backup_timestamp' | 'last_snapshot_timestamp'
>;

function createBackupTimes(
  index: number,
  ago: (ms: number) => string,
  random: Random,
): BackupTimes {
  const [isDeleted, isFailing] = [index % 12 === 6, index % 9 === 4];
  const lastEvent = random.integer(oneHour, 20 * oneHour);
  const deletedFor = isDeleted ? random.integer(oneDay, 4 * oneDay) : 0;
  const missed = isFailing ? random.integer(1, 2) * oneDay : 0;
  const lastBackup = ago(deletedFor + lastEvent + missed);
  const status = isFailing ? 'failure' : index % 20 === 1 ? 'partial_success' : 'success';
  return {
    deletion_timestamp: isDeleted ? ago(deletedFor) : null,
    lastAttempt: { at: ago(deletedFor + lastEvent), status },
    last_backup_timestamp: index === onlySnapshots ? null : lastBackup,
    last_snapshot_timestamp: index % 7 === 0 ? lastBackup : null,
  };
}

/** The same tag has the same id on every volume. */
export function createTag(key: string, value: string): Volume['tags'][number] {
  return { id: shortId(`${key}=${value}`), key_id: shortId(key), key, value };
}

/** An id in the format of AWS. */
export function nativeId(uuid: string): string {
  return `vol-0${uuid.replaceAll('-', '').slice(0, 16)}`;
}

function shortId(text: string): string {
  return hash('sha1', text, 'hex').slice(0, 12);
}
