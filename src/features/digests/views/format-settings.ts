import { cutMrkdwn, moment, safe } from '../../../slack/ui/mrkdwn.ts';
import { describeFilter } from '../../alerts/index.ts';
import { type DigestPart, type DigestSettings, digestParts } from '../digest.ts';

export const weekdayNames = [
  { value: '1', label: 'Monday' },
  { value: '2', label: 'Tuesday' },
  { value: '3', label: 'Wednesday' },
  { value: '4', label: 'Thursday' },
  { value: '5', label: 'Friday' },
  { value: '6', label: 'Saturday' },
  { value: '7', label: 'Sunday' },
];

export const partLabels: Record<DigestPart, string> = {
  new: 'New alerts',
  open: 'Active alerts',
  cleared: 'Number of cleared alerts',
  compliance: 'Compliance and its changes',
  policies: 'Policy changes',
  approvals: 'Pending requests',
  token: 'API token expiration warning',
};

export const whenEmptyLabels: Record<DigestSettings['whenEmpty'], string> = {
  heartbeat: 'Post one line',
  silence: "Don't post",
};

/** "New alerts, active alerts, API token expiration warning" */
export function formatParts(parts: readonly DigestPart[]): string {
  const labels = digestParts.filter((part) => parts.includes(part)).map((part) => partLabels[part]);
  const inSentence = (label: string) =>
    label.replace(/^[A-Z](?=[a-z])/, (one) => one.toLowerCase());
  return labels.map((label, index) => (index === 0 ? label : inSentence(label))).join(', ');
}

/** "Filters: error, policy “Gold”"; none if the digest includes all alerts. */
export function formatFilters({ search }: DigestSettings): string[] {
  const filters = describeFilter(search);
  return filters ? [`Filters: ${cutMrkdwn(filters, 500)}`] : [];
}

/** "Weekdays at 8:15 AM (Europe/Lisbon)" */
export function formatSchedule({
  time,
  weekdays,
  timeZone,
}: Pick<DigestSettings, 'time' | 'weekdays' | 'timeZone'>): string {
  return `${formatDays(weekdays)} at ${formatTime(time)} (${timeZone})`;
}

/** "weekdays at 8:15 AM (Europe/Lisbon)" */
export function formatScheduleInSentence(settings: DigestSettings): string {
  return formatSchedule(settings).replace(/^(Every|Week)/, (one) => one.toLowerCase());
}

/** The same as mrkdwn. */
export function formatSafeSchedule(settings: DigestSettings): string {
  return safe(formatScheduleInSentence(settings), 200);
}

const [workdays, weekend] = ['12345', '67'];

function formatDays(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((one, other) => one - other);
  if (days.length === 7) return 'Every day';
  if (days.join('') === workdays) return 'Weekdays';
  if (days.join('') === weekend) return 'Weekends';
  const names = weekdayNames.filter(({ value }) => days.includes(Number(value)));
  const [first, last] = [names.at(0), names.at(-1)];
  const isConsecutive = Number(last?.value) - Number(first?.value) === days.length - 1;
  if (isConsecutive && days.length > 2) return `${first?.label} to ${last?.label}`;
  return new Intl.ListFormat('en-US').format(names.map(({ label }) => `${label}s`));
}

/** "8:15 AM" for `08:15` */
export function formatTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const padded = String(minutes).padStart(2, '0');
  return `${hours % 12 || 12}:${padded} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** "next: tomorrow". `nextRunAt` is undefined for a digest that is due. */
export function formatNextRun(nextRunAt: Date | undefined): string {
  return nextRunAt ? `next: ${moment(nextRunAt, '{date_short_pretty}')}` : 'due now';
}
