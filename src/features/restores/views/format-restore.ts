import type { Backup } from '../../../dataprotection/resources/backups.ts';
import type { Volume } from '../../../dataprotection/resources/volumes.ts';
import { parseTimestamp } from '../../../dataprotection/timestamp.ts';
import { max } from '../../../dates.ts';
import type { Detail } from '../../../requests/action.ts';
import { age, bold, code, moment, safe, safeName } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { listDepartures, type RestorePayload } from '../stored-restore.ts';

const gigabyte = 1024 ** 3;

/** The name and AWS's id. */
export function formatVolume({
  id,
  name = id,
  volumeNativeId,
}: Pick<Volume, 'id' | 'name' | 'volumeNativeId'>): string {
  return [bold(name, 120), volumeNativeId && code(volumeNativeId, 60)].filter(Boolean).join(' · ');
}

/** "account 123456789012 · us-east-1a · 100 GB gp3 · last backup Nov 28". */
export function formatVolumeFacts(volume: Volume): string {
  const { accountNativeId, awsAz, size, type, isDeleted } = volume;
  // A snapshot in AWS is a backup too, and can be the only one.
  const backups = [volume.lastBackupTimestamp, volume.lastSnapshotTimestamp]
    .map(parseTimestamp)
    .filter((at) => at !== undefined);
  const facts = [
    isDeleted && '*Deleted*',
    accountNativeId && `account ${safe(accountNativeId, 40)}`,
    awsAz && safe(awsAz, 40),
    [size !== undefined && formatSize(size / gigabyte), type && safe(type, 40)]
      .filter(Boolean)
      .join(' '),
    // Without a time, there may be backups all the same.
    backups.length > 0 && `last backup ${moment(max(backups))}`,
  ];
  return facts.filter(Boolean).join(' · ');
}

/** Exact, because one is chosen by what happened when; its age stands beside it. */
const exactTime = (at: Date) => moment(at, '{date_short} at {time}');

/** "Nov 28, 2026", of a date (`YYYY-MM-DD`) of the reader. */
export function formatDay(date: string): string {
  return new Date(date).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
}

/** "Nov 28, 2026 at 3:00 AM · 18 hours ago · 100 GB · expires Dec 28, 2026". */
export function formatBackup(backup: Backup, now: Date): string {
  const { startTimestamp, expirationTimestamp, size, type } = backup;
  const startedAt = parseTimestamp(startTimestamp);
  const expiresAt = parseTimestamp(expirationTimestamp);
  const facts = [
    startedAt ? `*${exactTime(startedAt)}*` : safe(startTimestamp ?? 'unknown time', 60),
    startedAt && age(startedAt),
    size !== undefined && formatSize(size),
    expiresAt && `${expiresAt <= now ? 'expired' : 'expires'} ${moment(expiresAt, '{date_short}')}`,
    type === 'aws_snapshot' && 'AWS snapshot, own account and region only',
  ];
  return facts.filter(Boolean).join(' · ');
}

/** What the decision rests on, one line each: mrkdwn. */
export function formatConsequences(payload: RestorePayload): string[] {
  const { volume, backup, from, to, target } = payload;
  const { awsAz, type, iops, kmsKeyNativeId: key, tags } = target;
  const size = backup.sizeInGb === undefined ? '' : `${formatSize(backup.sizeInGb)} `;
  const facts = [
    `${size}${safe(type, 40)}`,
    iops !== undefined && `${iops.toLocaleString('en-US')} IOPS`,
    key === undefined ? 'not encrypted' : `key ${code(key, 100)}`,
    tags.length > 0 && plural(tags.length, 'tag'),
    'not attached',
  ];
  const source = volume.nativeId ? code(volume.nativeId, 60) : bold(volume.name, 120);
  return [
    `*New volume*: ${facts.filter(Boolean).join(' · ')}`,
    `*From* ${source} · account ${safe(from.account, 40)} · ${safe(from.region, 40)}`,
    `*To* account ${formatAccount(to)} · ${safe(awsAz, 40)}`,
    `*Data*: ${formatDataAge(payload)}`,
    formatDepartures(payload),
    'No cost estimate from the service.',
  ];
}

/** "production (123456789012)": mrkdwn. */
export function formatAccount(of: { account: string; accountName?: string | undefined }): string {
  const id = safe(of.account, 40);
  return of.accountName ? `${safeName(of.accountName, 60)} (${id})` : id;
}

/** Until when the backup can be restored: the request is void after that. */
export function formatExpiry(expiresAt: string | undefined): Detail[] {
  const at = parseTimestamp(expiresAt);
  return at ? [{ label: 'Backup expires', value: exactTime(at) }] : [];
}

/** "18 hours old; the newest backup is 2 hours old", as of the request. */
function formatDataAge({ backup, newestAt, requestedAt }: RestorePayload): string {
  const now = new Date(requestedAt);
  const startedAt = parseTimestamp(backup.startedAt);
  if (!startedAt) return safe(backup.startedAt, 60);
  const newest = parseTimestamp(newestAt);
  const data = `${exactTime(startedAt)}, ${formatAge(startedAt, now)} old`;
  if (!newest) return data;
  return newest <= startedAt
    ? `${data}, the newest backup`
    : `${data}; the newest backup is ${formatAge(newest, now)} old`;
}

function formatDepartures(payload: RestorePayload): string {
  const leaves = listDepartures(payload);
  const left = [
    leaves.account && 'account',
    leaves.region && 'region',
    leaves.key && 'encryption key',
  ].filter((one) => one !== false);
  if (left.length === 0) return '✓ Same account, region and encryption key';
  const { from, target } = payload;
  const key = leaves.key
    ? ` (key: ${formatKey(from.key)} → ${formatKey(target.kmsKeyNativeId)})`
    : '';
  return `⚠ *Changes the ${left.join(', ').replace(/, ([^,]*)$/, ' and $1')}*${key}`;
}

function formatKey(key: string | undefined): string {
  return key === undefined ? 'none' : code(key, 100);
}

function formatSize(gigabytes: number): string {
  return `${Math.round(gigabytes).toLocaleString('en-US')} GB`;
}

const minuteMs = 60_000;

/** "18 hours": minutes within an hour, hours within two days, then days. */
export function formatAge(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / minuteMs));
  if (minutes < 60) return plural(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? plural(hours, 'hour') : plural(Math.floor(hours / 24), 'day');
}
