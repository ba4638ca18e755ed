import type { ServiceClient } from '../../dataprotection/client.ts';
import { type Backup, readBackupPage } from '../../dataprotection/resources/backups.ts';
import { type Environment, isRestoreTarget } from '../../dataprotection/resources/environments.ts';
import type { Volume } from '../../dataprotection/resources/volumes.ts';
import { safe } from '../../slack/ui/mrkdwn.ts';
import { findTargetProblem, findVolumes, isExpired, isOriginOf } from '../restores/index.ts';
import type { DrilledVolume, DrillPlan } from './drill.ts';

const readMs = 30_000;

export function toDrilled({ id, name = id, volumeNativeId }: Volume): DrilledVolume {
  return { id, name, nativeId: volumeNativeId };
}

/** The volumes that a policy protects, or those that could be read in time. @throws {ServiceError} */
export async function listProtected(client: ServiceClient, policyId: string): Promise<Volume[]> {
  const { volumes } = await findVolumes(client, '', policyId);
  return volumes.filter(({ isDeleted }) => !isDeleted);
}

/** One that was never tried, at random, or else the one tried longest ago; undefined if there is none. */
export function chooseVolume(volumes: Volume[], lastTried: Map<string, Date>): Volume | undefined {
  const untried = volumes.filter(({ id }) => !lastTried.has(id));
  if (untried.length > 0) return untried[Math.floor(Math.random() * untried.length)];
  const triedAt = ({ id }: Volume) => lastTried.get(id)?.getTime() ?? 0;
  return volumes.toSorted((one, other) => triedAt(one) - triedAt(other))[0];
}

/** The newest backup of the volume, or why it can't be restored to the target: mrkdwn. @throws {ServiceError} */
export async function readNewest(
  client: ServiceClient,
  volumeId: string,
  plan: Pick<DrillPlan, 'target' | 'mayLeave'>,
  { environments, now }: { environments: Environment[]; now: Date },
): Promise<{ backup: Backup } | { problem: string }> {
  const signal = AbortSignal.timeout(readMs);
  const page = await readBackupPage(client, volumeId, { start: 0, perPage: 1, signal });
  const [backup] = page.items;
  if (!backup) return { problem: 'The volume has no backup.' };
  if (isExpired(backup, now)) return { problem: 'The newest backup has expired.' };
  const environment = environments.find(({ id }) => id === plan.target.environmentId);
  const problem = findProblem(backup, environment, plan);
  return problem === undefined ? { backup } : { problem };
}

/** Whether restoring the backup to the target changes its account, region or encryption key. */
export function leaves(backup: Backup, target: DrillPlan['target']): boolean {
  return (
    backup.accountNativeId !== target.account ||
    backup.awsRegion !== target.region ||
    backup.kmsKeyNativeId !== target.kmsKeyNativeId
  );
}

function findProblem(
  backup: Backup,
  environment: Environment | undefined,
  { target, mayLeave }: Pick<DrillPlan, 'target' | 'mayLeave'>,
): string | undefined {
  const { awsAz: zone, type, kmsKeyNativeId: kmsKey = '', account, region } = target;
  if (!environment || !isRestoreTarget(environment))
    return "The target environment isn't connected for EBS.";
  if (environment.accountNativeId !== account || environment.awsRegion !== region)
    return 'The target environment changed after the approval.';
  if (!mayLeave && leaves(backup, target))
    return "The newest backup has another account, region or encryption key than the target, which the drill's approval doesn't cover.";
  if (backup.type === 'aws_snapshot' && !isOriginOf(environment, backup))
    return 'The newest backup is an AWS snapshot, which stays in its account and region.';
  const restore = { zone, type, iops: undefined, kmsKey, tags: '' };
  const problem = findTargetProblem(restore, environment, backup);
  return problem && safe(problem);
}
