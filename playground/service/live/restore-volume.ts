import { type AlertKind, restoreFailures } from '../data/alert-kinds.ts';
import type { Owned } from '../data/collection.ts';
import type { Store } from '../data/store.ts';
import { createTag, gigabyte, nativeId, neverBackedUp } from '../data/volumes.ts';
import { errorResponse, invalidBody, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Backup, Entity, Environment, Task, Volume } from '../resources.ts';
import { isExpired, unknownBackup } from './backups.ts';
import { readEmbed } from './embed.ts';
import { unknownEnvironment } from './environments.ts';
import { raiseAlert } from './raise-alert.ts';
import { type RestoreTarget, restoreBody } from './restore-body.ts';
import { linkToTask, renderTask } from './tasks.ts';

type Restore = {
  backup: Owned<Backup>;
  environment: Owned<Environment>;
  target: RestoreTarget;
};

/**
 * Starts a restore to a new volume. No source says what the public service checks at once. The
 * choice here: what the service knows itself is checked at once, and what only AWS would refuse
 * lets the task fail and raises an alert. Version 1 doesn't tell the task.
 */
export function restoreVolume(context: RequestContext): ServiceResponse {
  const { store, unit, version, now, path } = context;
  const embed = readEmbed(context, 'read-task');
  if (!embed.ok) return embed.rejection;
  const body = restoreBody(version).safeParse(context.body);
  if (!body.success) return invalidBody(body.error);
  const { source, target } = body.data;
  const backup = store.backups.find(source.backup_id, unit.id);
  if (!backup) return unknownBackup(source.backup_id);
  const environment = store.environments.find(target.environment_id, unit.id);
  if (!environment) return unknownEnvironment(target.environment_id);
  const restore = { backup, environment, target };
  const problem = findProblem(restore, now);
  if (problem !== undefined) return errorResponse(400, problem);

  const task = startTask(context, restore);
  const _self = link(path);
  if (version === 1) return json(200, { _links: { _self } });
  return json(202, {
    task_id: task.resource.id,
    _links: { _self, ...linkToTask(task.resource) },
    ...(embed.isEmbedded ? { _embedded: { 'read-task': renderTask(task) } } : {}),
  });
}

/** The task and its alert belong to the unit of the backup, the new volume to its environment's. */
function startTask({ store, tasks }: RequestContext, restore: Restore): Owned<Task> {
  const { resource: backup, organizationalUnitId } = restore.backup;
  const entity = sourceVolume(store, backup);
  const refusal = findRefusal(restore);
  const resource = tasks.start({
    type: 'aws_ebs_volume_restore',
    category: backup.type === 'aws_snapshot' ? 'snapshot_restore' : 'restore',
    genre: 'operational',
    outcome: refusal && 'failed',
    primaryEntity: entity,
    organizationalUnitId,
    onEnd(outcome, now) {
      if (outcome === 'completed') {
        store.volumes.add({
          ...restore.environment,
          resource: createVolume(restore, store.newId),
        });
      }
      if (outcome === 'failed') {
        const kind = refusal ?? restoreFailures.missingPermissions;
        raiseAlert(store, { kind, entity, organizationalUnitId, now });
      }
    },
  });
  return { resource, organizationalUnitId };
}

/** A choice: the primary entity of a restore and of its alert is the volume of the backup. */
function sourceVolume({ volumes }: Store, { volume_id, volume_native_id }: Backup): Entity {
  const value = volumes.get(volume_id)?.name ?? volume_native_id;
  return { id: volume_id, type: 'aws_ebs_volume', value };
}

function findProblem(restore: Restore, now: Date): string | undefined {
  const { target } = restore;
  const [backup, environment] = [restore.backup.resource, restore.environment.resource];
  const { account_native_id, aws_region, connection_status, services_enabled } = environment;
  const isSameAccount = backup.account_native_id === account_native_id;
  if (isExpired(backup, now)) return 'The backup has expired.';
  if (!['connected', 'installed'].includes(connection_status)) {
    return 'The environment is not connected.';
  }
  if (!services_enabled.includes('ebs')) return 'EBS is not enabled in the environment.';
  if (!environment.aws_az.includes(target.aws_az)) {
    return `target.aws_az must be one of ${environment.aws_az.join(', ')}.`;
  }
  if (backup.type === 'aws_snapshot' && !(isSameAccount && backup.aws_region === aws_region)) {
    return 'A snapshot can only be restored in its own account and region.';
  }
  if (!isSameAccount && !target.kms_key_native_id) {
    return 'target.kms_key_native_id is required for another account.';
  }
  return undefined;
}

/** AWS's ranges for the types that take IOPS. Only gp3 has a default. */
const iopsRanges = new Map([
  ['gp3', { lowest: 3_000, highest: 16_000 }],
  ['io1', { lowest: 100, highest: 64_000 }],
  ['io2', { lowest: 100, highest: 256_000 }],
]);
const defaultIops = 3_000;

/** A KMS key is given by its bare id, as in all public examples. */
function findRefusal({ environment, target }: Restore): AlertKind | undefined {
  const { kms_key_native_id: key, type, iops } = target;
  if (key && !environment.resource.kmsKeyIds.includes(key)) return restoreFailures.unknownKey;
  const range = iopsRanges.get(type ?? '');
  const isAccepted =
    typeof iops === 'number'
      ? range && iops >= range.lowest && iops <= range.highest
      : !range || type === 'gp3';
  return isAccepted ? undefined : restoreFailures.unexplained;
}

/**
 * The new volume, which has only the tags of the request. Two more choices: without a type it is
 * like the original, and without a key an encrypted one gets the default key of its environment.
 */
function createVolume({ target, ...restore }: Restore, newId: () => string): Volume {
  const [backup, environment] = [restore.backup.resource, restore.environment.resource];
  const isEncrypted = backup.is_encrypted || Boolean(target.kms_key_native_id);
  const key = target.kms_key_native_id ?? environment.kmsKeyIds[0];
  const tags = (target.tags ?? []).map((tag) => createTag(tag.key, tag.value ?? ''));
  const volume_native_id = nativeId(newId());
  const typeDefaults = target.type === 'gp3' ? defaultIops : target.type ? 0 : backup.iops;
  return {
    ...neverBackedUp,
    id: newId(),
    name: tags.find((tag) => tag.key === 'Name')?.value ?? volume_native_id,
    volume_native_id,
    environment_id: environment.id,
    account_native_id: environment.account_native_id,
    aws_region: environment.aws_region,
    aws_az: target.aws_az,
    size: backup.size * gigabyte,
    type: target.type ?? backup.volume_type,
    iops: target.iops ?? typeDefaults,
    is_encrypted: isEncrypted,
    kms_key_native_id: isEncrypted ? key : null,
    deletion_timestamp: null,
    unsupported_reason: null,
    tags,
  };
}
