/** What a deletion does when, and until when it can be taken back; said before anyone decides. */
export function deletionWarning(graceMinutes: number): string {
  if (graceMinutes === 0) return 'This cannot be undone.';
  return `They are disabled at once and deleted ${duration(graceMinutes)} later. Until then *Keep this user* takes it back; after that it cannot be undone.`;
}

function duration(minutes: number): string {
  if (minutes % 60 === 0) return counted(minutes / 60, 'hour');
  return counted(minutes, 'minute');
}

function counted(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
