import { bold, code, safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { formatSchedule, formatTime, weekdayNames } from '../../digests/index.ts';
import { formatAccount, formatAge } from '../../restores/index.ts';
import {
  type DrilledVolume,
  type DrillPlan,
  type DrillRun,
  type DrillSchedule,
  drillTagKey,
} from '../drill.ts';

/** "3 volumes", "volume *orders-db*" or "a volume of policy *Gold*" */
export function formatSource({ source }: Pick<DrillPlan, 'source'>): string {
  if ('policy' in source) return `a volume of policy ${bold(source.policy.name, 120)}`;
  const [volume] = source.volumes;
  return volume && source.volumes.length === 1
    ? `volume ${bold(volume.name, 120)}`
    : plural(source.volumes.length, 'volume');
}

/** "Mondays at 3:00 AM (Europe/Berlin)", "First Monday of each month at 3:00 AM (Europe/Berlin)" */
export function formatDrillSchedule({ every, weekday, time, timeZone }: DrillSchedule): string {
  if (every === 'week') return safe(formatSchedule({ weekdays: [weekday], time, timeZone }), 200);
  const day = weekdayNames.find(({ value }) => value === String(weekday))?.label;
  return safe(`First ${day} of each month at ${formatTime(time)} (${timeZone})`, 200);
}

/** "account Production (123456789012) · us-east-1a · gp3 · key …" */
export function formatTarget({ target }: Pick<DrillPlan, 'target'>): string {
  const { awsAz, type, kmsKeyNativeId: key } = target;
  const facts = [
    `account ${formatAccount(target)}`,
    safe(awsAz, 40),
    safe(type, 40),
    key && `key ${code(key, 100)}`,
  ];
  return facts.filter(Boolean).join(' · ');
}

/** What a decision about the drill rests on, one line each: mrkdwn. */
export function formatDrillConsequences(plan: DrillPlan): string[] {
  const { source, mayLeave, schedule } = plan;
  const volumes =
    'policy' in source
      ? `one of policy ${bold(source.policy.name, 120)}: the one tested longest ago`
      : source.volumes.map(formatVolume).join(', ');
  return [
    `*Volumes*: ${volumes}`,
    `*To* ${formatTarget(plan)}`,
    `*When*: ${formatDrillSchedule(schedule)}, without asking again`,
    `*Each run* restores the newest backups to new, unattached volumes. Belay can't delete them, and they cost money until somebody does (tag ${code(drillTagKey)}).`,
    mayLeave
      ? '⚠ *Changes the account, region or encryption key*'
      : '✓ Same account, region and encryption key',
  ];
}

function formatVolume({ name, nativeId }: Omit<DrilledVolume, 'id'>): string {
  const isNamed = nativeId !== undefined && nativeId !== name;
  return [bold(name, 80), isNamed && code(nativeId, 60)].filter(Boolean).join(' ');
}

const resultWords = { restored: '✓ Restored', failed: '✗ Failed', unknown: '⚠ Unknown outcome' };

export function formatRunVolume(run: DrillRun): string {
  const { volume_name: name, volume_native_id: nativeId } = run;
  return name === '' ? 'No volume' : formatVolume({ name, nativeId: nativeId ?? undefined });
}

/** "✓ Restored · data 5 hours old · took 12 minutes": what is known of a run that has ended. */
export function formatRun(run: DrillRun): string {
  const { state, backup_at: from, sent_at: to, took_seconds: tookSeconds } = run;
  const result = state === 'due' || state === 'sent' ? 'In progress' : resultWords[state];
  const dataAge = from && to && `data ${formatAge(from, to)} old`;
  const took = tookSeconds !== null && `took ${formatDuration(tookSeconds)}`;
  return [result, dataAge, took].filter(Boolean).join(' · ');
}

function formatDuration(seconds: number): string {
  if (seconds < 60) return plural(seconds, 'second');
  return formatAge(new Date(0), new Date(seconds * 1000));
}

/** How to find the volume that a run has restored, or may have. */
export function formatCleanUp({ id, state, sent_at: sentAt }: DrillRun): string | undefined {
  if (!sentAt || state === 'failed') return undefined;
  const tag = code(`${drillTagKey}=${id}`);
  return state === 'unknown'
    ? `Look for a volume with the tag ${tag}.`
    : `Belay can't delete volumes. Delete the new volume by its tag ${tag}.`;
}
