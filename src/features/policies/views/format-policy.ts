import { z } from 'zod';
import type { JsonObject } from '../../../dataprotection/json.ts';
import {
  type Duration,
  type Sla,
  type SlaSet,
  without,
} from '../../../dataprotection/resources/policy-schema.ts';
import { plural } from '../../../slack/ui/words.ts';

/**
 * The words for the parts of a policy: plain text, in which the service's own words are not escaped.
 * Units, operations and settings are open sets (§2 Resources and their fields), so what is not known
 * here is shown as it is.
 */

/** What the services were seen to use, by the identifier. */
const operationNames = new Map([
  ['vmware_vm_backup', 'VMware VM backup'],
  ['aws_ebs_volume_backup', 'AWS EBS volume backup'],
  ['aws_ebs_volume_snapshot', 'AWS EBS volume snapshot'],
  ['aws_ec2_instance_backup', 'AWS EC2 instance backup'],
  ['aws_ec2_instance_snapshot', 'AWS EC2 instance snapshot'],
  ['aws_rds_resource_aws_snapshot', 'AWS RDS snapshot'],
  ['aws_rds_resource_rolling_backup', 'AWS RDS rolling backup'],
  ['aws_rds_resource_granular_backup', 'AWS RDS granular backup'],
  ['aws_dynamodb_table_backup', 'AWS DynamoDB table backup'],
  ['aws_dynamodb_table_snapshot', 'AWS DynamoDB table snapshot'],
  ['aws_dynamodb_table_pitr', 'AWS DynamoDB point-in-time recovery'],
  ['aws_s3_backtrack', 'AWS S3 backtrack'],
  ['aws_s3_continuous_backup', 'AWS S3 continuous backup'],
  ['protection_group_backup', 'Protection group backup'],
  ['ec2_mssql_database_backup', 'SQL Server on EC2 database backup'],
  ['ec2_mssql_log_backup', 'SQL Server on EC2 log backup'],
  ['mssql_database_backup', 'SQL Server database backup'],
  ['mssql_log_backup', 'SQL Server log backup'],
  ['microsoft365_mailbox_backup', 'Microsoft 365 mailbox backup'],
  ['microsoft365_onedrive_backup', 'Microsoft 365 OneDrive backup'],
  ['microsoft365_share_point_backup', 'Microsoft 365 SharePoint backup'],
  ['microsoft365_teams_backup', 'Microsoft 365 Teams backup'],
]);

export function formatOperation(operation: string | undefined): string {
  if (operation === undefined) return 'operation not set';
  return operationNames.get(operation) ?? operation;
}

export function isKnownOperation(operation = ''): boolean {
  return operationNames.has(operation);
}

/** "every 4 hours", "every week on Monday, Friday" */
export function formatFrequency(duration: Duration | undefined): string {
  if (!isSet(duration)) return 'frequency not set';
  const { units, value } = duration;
  if (units === 'on_demand') return 'on demand';
  const unit = unitOf(units);
  const isEach = unit !== undefined && (value === 1 || (units === 'weekly' && value === undefined));
  const every = `every ${isEach ? unit : formatAmount(duration)}`;
  const days = weekdaysOf(duration);
  return days.length > 0 ? `${every} on ${days.join(', ')}` : every;
}

/** "30 days" */
export function formatRetention(duration: Duration | undefined): string {
  return isSet(duration) ? formatAmount(duration) : 'retention not set';
}

/** "first backup immediately", "window 22:00–06:00 Europe/Berlin" */
export function formatFirstBackup(slaSet: SlaSet): string {
  const { seedSetting } = slaSet;
  if (seedSetting === undefined) return 'first backup not set';
  if (seedSetting === 'window') return formatWindow(slaSet) ?? 'first backup in the window';
  return `first backup ${seedSetting === 'immediate' ? 'immediately' : seedSetting}`;
}

export function isKnownSeedSetting(seedSetting: string | undefined): boolean {
  return seedSetting === 'immediate' || seedSetting === 'window';
}

/** "immediately", "in the window": the same beside a label. */
export function formatSeedSetting(seedSetting: string | undefined): string {
  return formatFirstBackup({ seedSetting, slas: [] }).replace(/^first backup /, '');
}

/**
 * The hours in which backups run, which only the live dialect has: "window 22:00–06:00 Europe/Berlin".
 * Undefined if the service named none.
 */
export function formatWindow({ otherFields }: SlaSet): string | undefined {
  const found = windowSchema.safeParse(otherFields).data;
  const hours = found?.backup_window_tz ?? found?.backup_window;
  if (!hours?.start_time && !hours?.end_time) return undefined;
  const { start_time: start, end_time: end } = hours;
  const range = start && end ? `${start}–${end}` : start ? `from ${start}` : `until ${end}`;
  return ['window', range, found?.timezone].filter(Boolean).join(' ');
}

/** "22:00–06:00", for the hours of a backup window that this says in full; else undefined. */
export function formatExactHours(value: unknown): string | undefined {
  const hours = exactHoursSchema.safeParse(value).data;
  return hours && `${hours.start_time}–${hours.end_time}`;
}

const settingName = z.string().regex(/^[a-z0-9_]+$/);
const advancedSettings = z
  .record(z.string().refine(isKnownOperation), z.record(settingName, settingName))
  .refine((operations) => Object.keys(operations).length === 1);

/**
 * "backup tier standard (AWS EBS volume backup)": the settings of one operation, if their names and values
 * are plain enough that two different ones read differently; else undefined.
 */
export function formatAdvancedSettings(value: unknown): string | undefined {
  const [found] = Object.entries(advancedSettings.safeParse(value).data ?? {});
  if (!found) return undefined;
  const [operation, settings] = found;
  const facts = Object.entries(settings).map(
    ([name, one]) => `${name.replaceAll('_', ' ')} ${one}`,
  );
  return facts.length > 0 ? `${facts.join(', ')} (${formatOperation(operation)})` : undefined;
}

/** The fields of an SLA set, apart from those of its SLAs, that `formatSlaSet` doesn't say in full. */
export function unsaidInSet({ otherFields = {} }: SlaSet): JsonObject {
  const isSaid = formatExactHours(otherFields.backup_window_tz) !== undefined;
  return isSaid ? without(otherFields, new Set(['backup_window_tz'])) : otherFields;
}

/** The fields of a frequency that `formatFrequency` doesn't say. */
export function unsaidInFrequency(duration: Duration): JsonObject {
  const { otherFields = {} } = duration;
  return weekdaysOf(duration).length > 0 ? without(otherFields, new Set(['offsets'])) : otherFields;
}

/** The fields of an SLA set that `formatWindow` says. */
export const windowFields = ['backup_window_tz', 'backup_window', 'timezone'];

/** "VMware VM backup: every 4 hours · keep 30 days · first backup immediately" */
export function formatSlaSet(slaSet: SlaSet): string {
  return `${formatOperation(slaSet.operation)}: ${formatSchedule(slaSet)}`;
}

/** The same without the operation. */
export function formatSchedule(slaSet: SlaSet): string {
  const { slas } = slaSet;
  const separator = slas.length > 1 ? ', ' : ' · ';
  const times = slas.map((sla) => formatSla(sla, separator));
  return [...(times.length > 0 ? times : ['no schedule']), ...formatStart(slaSet)].join(' · ');
}

/** Lines of the same: where a schedule has several SLAs, one for each below its first line. */
export function listSlas(slaSet: SlaSet): [string, ...string[]] {
  const { slas } = slaSet;
  if (slas.length < 2) return [formatSchedule(slaSet)];
  return [formatStart(slaSet).join(' · '), ...slas.map((sla) => `• ${formatSla(sla, ', ')}`)];
}

function formatStart(slaSet: SlaSet): string[] {
  const window = slaSet.seedSetting === 'window' ? undefined : formatWindow(slaSet);
  return [formatFirstBackup(slaSet), ...(window === undefined ? [] : [window])];
}

function formatSla({ rpoFrequency, retentionDuration }: Sla, separator: string): string {
  const retention = formatRetention(retentionDuration);
  const keep = isSet(retentionDuration) ? `keep ${retention}` : retention;
  return [formatFrequency(rpoFrequency), keep].join(separator);
}

function isSet(duration: Duration | undefined): duration is Duration {
  return duration?.units !== undefined || duration?.value !== undefined;
}

function formatAmount({ units, value }: Duration): string {
  const unit = unitOf(units);
  if (value === undefined) return unit ? `${unit}s (number not set)` : (units ?? '');
  if (units === undefined) return `${value} (unit not set)`;
  return unit ? plural(value, unit) : `${value} ${units}`;
}

const knownUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'];

/** The services disagree on the number: one has `hour`, the other `hours` and `weekly`. */
function unitOf(units: string | undefined): string | undefined {
  if (units === 'weekly') return 'week';
  return knownUnits.find((unit) => units === unit || units === `${unit}s`);
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function weekdaysOf({ units, otherFields }: Duration): string[] {
  const found = offsetsSchema.safeParse(otherFields).data;
  return found && unitOf(units) === 'week' ? found.offsets.map((day) => weekdays[day] ?? '') : [];
}

const offsetsSchema = z.object({ offsets: z.array(z.int().min(0).max(6)) });

const hoursSchema = z
  .object({ start_time: z.string().nullish(), end_time: z.string().nullish() })
  .nullish()
  .catch(undefined);

const hour = z.string().regex(/^\d\d:\d\d$/);
const exactHoursSchema = z.strictObject({ start_time: hour, end_time: hour });

/** `backup_window` is the older name. */
const windowSchema = z.object({
  backup_window_tz: hoursSchema,
  backup_window: hoursSchema,
  timezone: z.string().nullish().catch(undefined),
});
