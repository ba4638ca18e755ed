import type { Clock } from '../../clock.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import { undefinedIfGone } from '../../dataprotection/http/undefined-if-gone.ts';
import { readBackup, readBackupPage } from '../../dataprotection/resources/backups.ts';
import { type Environment, readEnvironments } from '../../dataprotection/resources/environments.ts';
import { readVolume, type Volume } from '../../dataprotection/resources/volumes.ts';
import type { Approvals } from '../../requests/approvals.ts';
import { notRequestedMessage } from '../../requests/views/request-fields.ts';
import type { SubmissionOf } from '../../slack/interactions/interaction.ts';
import type { Message } from '../../slack/ui/blocks.ts';
import { findTargetProblem, parseTags } from './check-target.ts';
import { restoreActions } from './restore-action.ts';
import { isExpired, type RestorePayload } from './stored-restore.ts';
import { decodeTarget, listTargets, type restoreForm } from './views/restore-form.ts';

const readMs = 10_000;

/** What a restore of a backup starts from; undefined if the backup is gone. @throws {ServiceError} */
export async function readSource(client: ServiceClient, backupId: string) {
  const options = { signal: AbortSignal.timeout(readMs) };
  const backup = await undefinedIfGone(readBackup(client, backupId, options));
  if (!backup) return undefined;
  const { volumeId, volumeNativeId } = backup;
  const [volume, newest, environments] = await Promise.all([
    undefinedIfGone(readVolume(client, volumeId, options)),
    readBackupPage(client, volumeId, { ...options, start: 0, perPage: 1 }),
    readEnvironments(client, options),
  ]);
  // The backups of a volume can outlive what the service knows of it.
  const known: Volume = volume ?? {
    id: volumeId,
    ...(volumeNativeId && { name: volumeNativeId, volumeNativeId }),
    otherFields: {},
  };
  return { backup, volume: known, newest: newest.items[0], environments };
}

/** Reads everything again, since the form passed through a client, and requests approval. */
export async function submitRestore(
  call: SubmissionOf<typeof restoreForm>,
  { approvals, clock }: { approvals: Approvals; clock: Clock },
): Promise<Message> {
  const { metadata, entered } = call;
  const { reason, breakGlass: isBreakGlass } = entered;
  const service = await call.service();
  const { client } = service;
  const refuse = (why: string) => notRequestedMessage(`${why} No request was sent.`, reason);
  const now = clock();
  const source = await readSource(client, metadata.backupId);
  if (!source) return refuse('The backup no longer exists.');
  const { backup, environments } = source;
  if (isExpired(backup, now)) return refuse('The backup has expired.');
  const chosen = decodeTarget(entered.environment);
  const environment = listTargets(backup, environments).find(({ id }) => id === chosen?.id);
  if (!environment) return refuse('The environment is no longer available for this backup.');
  const problem = findTargetProblem(entered, environment, backup);
  if (problem) return refuse(problem);
  const payload = toPayload(source, environment, { entered, now, portalUrl: service.portalUrl });
  const subject = { client, backup, environment, now };
  const prepared = restoreActions['volumes.restore'].prepare(payload, subject, service);
  if (!prepared.action.isShownExactly()) {
    return refuse("The request doesn't fit into Slack. Use shorter tags.");
  }
  const { channelId, isRepeat } = metadata;
  return approvals.request(call, { prepared, reason, channelId, isRepeat, isBreakGlass });
}

function toPayload(
  { backup, volume, newest }: NonNullable<Awaited<ReturnType<typeof readSource>>>,
  environment: Environment,
  {
    entered: { zone, type = '', iops, kmsKey, tags },
    now,
    portalUrl,
  }: {
    entered: SubmissionOf<typeof restoreForm>['entered'];
    now: Date;
    portalUrl: string | undefined;
  },
): RestorePayload {
  const parsed = parseTags(tags);
  const { accountNativeId = '', accountName, awsRegion = '' } = environment;
  return {
    volume: { id: volume.id, name: volume.name ?? volume.id, nativeId: volume.volumeNativeId },
    backup: {
      id: backup.id,
      startedAt: backup.startTimestamp ?? '',
      expiresAt: backup.expirationTimestamp,
      sizeInGb: backup.size,
    },
    newestAt: newest?.startTimestamp,
    requestedAt: now.toISOString(),
    portalUrl,
    from: {
      account: backup.accountNativeId ?? '',
      region: backup.awsRegion ?? '',
      key: backup.kmsKeyNativeId,
    },
    to: { account: accountNativeId, accountName, region: awsRegion },
    target: {
      environmentId: environment.id,
      awsAz: zone,
      type,
      iops,
      kmsKeyNativeId: kmsKey === '' ? undefined : kmsKey,
      tags: 'tags' in parsed ? parsed.tags : [],
    },
  };
}
