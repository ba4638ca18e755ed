import type { ServiceClient } from '../../dataprotection/client.ts';
import { collectItems } from '../../dataprotection/paging/collect-items.ts';
import { type Backup, readBackupPage } from '../../dataprotection/resources/backups.ts';
import { readEnvironments } from '../../dataprotection/resources/environments.ts';
import { listVolumes, type Volume } from '../../dataprotection/resources/volumes.ts';
import { parseTimestamp } from '../../dataprotection/timestamp.ts';
import { isExpired, snapshotTarget } from '../restores/index.ts';
import type { DrilledVolume, DrillPlan } from './drill.ts';

const readMs = 30_000;

export function toDrilled({ id, name = id, volumeNativeId }: Volume): DrilledVolume {
  return { id, name, nativeId: volumeNativeId };
}

/** The volumes that a policy protects: all of them, or those that could be read in time. @throws {ServiceError} */
export async function listProtected(client: ServiceClient, policyId: string): Promise<Volume[]> {
  const signal = AbortSignal.timeout(readMs);
  const { items } = await collectItems(
    listVolumes(client, { policyId }, { signal }),
    ({ isDeleted }) => !isDeleted,
  );
  return items;
}

/** One that was never tried, at random, or else the one tried longest ago; undefined if there is none. */
export function chooseVolume(volumes: Volume[], lastTried: Map<string, Date>): Volume | undefined {
  const untried = volumes.filter(({ id }) => !lastTried.has(id));
  if (untried.length > 0) return untried[Math.floor(Math.random() * untried.length)];
  const triedAt = ({ id }: Volume) => lastTried.get(id)?.getTime() ?? 0;
  return volumes.toSorted((one, other) => triedAt(one) - triedAt(other))[0];
}

/** The newest backup of the volume, or why the drill can't restore it: mrkdwn. @throws {ServiceError} */
export async function readNewest(
  client: ServiceClient,
  volumeId: string,
  { target, mayLeave }: Pick<DrillPlan, 'target' | 'mayLeave'>,
  now: Date,
): Promise<{ backup: Backup } | { problem: string }> {
  const signal = AbortSignal.timeout(readMs);
  const [page, environments] = await Promise.all([
    readBackupPage(client, volumeId, { start: 0, perPage: 1, signal }),
    readEnvironments(client, { signal }),
  ]);
  const [backup] = page.items;
  if (!backup) return { problem: 'The volume has no backup.' };
  if (isExpired(backup, now)) return { problem: 'The newest backup has expired.' };
  const environment = environments.find(({ id }) => id === target.environmentId);
  if (!environment) return { problem: 'The target environment no longer exists.' };
  const { account, region, isAvailable, hasZone } = snapshotTarget(environment, target.awsAz);
  if (account !== target.account || region !== target.region)
    return { problem: 'The target environment changed after the approval.' };
  if (!isAvailable) return { problem: 'The target environment is no longer connected for EBS.' };
  if (!hasZone) return { problem: 'The target environment no longer has this zone.' };
  const problem = findMismatch(backup, { target, mayLeave });
  return problem === undefined ? { backup } : { problem };
}

/** Whether restoring the backup to the target changes its account, region or encryption key. */
export function leaves(backup: Backup, target: DrillPlan['target']): boolean {
  return !isAtHome(backup, target) || backup.kmsKeyNativeId !== target.kmsKeyNativeId;
}

function isAtHome(
  { accountNativeId, awsRegion }: Backup,
  { account, region }: DrillPlan['target'],
) {
  return accountNativeId === account && awsRegion === region;
}

function findMismatch(
  backup: Backup,
  { target, mayLeave }: Pick<DrillPlan, 'target' | 'mayLeave'>,
): string | undefined {
  if (!mayLeave && leaves(backup, target))
    return "The newest backup has another account, region or encryption key than the target, which the drill's approval doesn't cover.";
  if (backup.type === 'aws_snapshot' && !isAtHome(backup, target))
    return 'The newest backup is an AWS snapshot, which stays in its account and region.';
  const needsKey = backup.isEncrypted || backup.accountNativeId !== target.account;
  return needsKey && target.kmsKeyNativeId === undefined
    ? 'The newest backup requires a KMS key ID, and the drill has none.'
    : undefined;
}

/** How old the data of a backup was; undefined if the service doesn't say when it was made. */
export function backedUpAt({ startTimestamp }: Backup): Date | undefined {
  return parseTimestamp(startTimestamp);
}
