import { moment } from '../../../slack/ui/mrkdwn.ts';
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
  open: 'Alerts that are still open',
  cleared: 'How many alerts were cleared',
  compliance: 'Compliance, and how it changed',
  approvals: 'Requests that wait for approval',
  token: 'A warning before the API token expires',
};

/** "new alerts · requests that wait for approval" */
export function formatParts(parts: readonly DigestPart[]): string {
  const labels = digestParts.filter((part) => parts.includes(part)).map((part) => partLabels[part]);
  return labels.map((label) => label.charAt(0).toLowerCase() + label.slice(1)).join(' · ');
}

/** "Monday to Friday at 09:00 (Europe/Berlin)" */
export function formatSchedule({ time, weekdays, timeZone }: DigestSettings): string {
  return `${formatDays(weekdays)} at ${time} (${timeZone})`;
}

/** "every day at 09:00 (Europe/Berlin)" */
export function formatScheduleInSentence(settings: DigestSettings): string {
  return formatSchedule(settings).replace(/^Every/, 'every');
}

function formatDays(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((one, other) => one - other);
  const names = weekdayNames.filter(({ value }) => days.includes(Number(value)));
  const [first, last] = [names.at(0), names.at(-1)];
  if (days.length === 7) return 'Every day';
  const isConsecutive = Number(last?.value) - Number(first?.value) === days.length - 1;
  if (isConsecutive && days.length > 2) return `${first?.label} to ${last?.label}`;
  return new Intl.ListFormat('en-GB').format(names.map(({ label }) => label));
}

/** `nextRunAt` is undefined for a digest that is due. */
export function formatNextRun(nextRunAt: Date | undefined): string {
  return nextRunAt
    ? `The next one comes ${moment(nextRunAt)}.`
    : 'One is due already and comes as soon as it can.';
}
