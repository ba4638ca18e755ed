import { nextRun, type Schedule } from './next-run.ts';
import { endOfQuiet, type QuietHours } from './quiet-hours.ts';

type Settings = Schedule & { quiet?: QuietHours | undefined };

/** When a digest comes that is saved at that moment: one that is due already, as soon as it may. */
export function runOnceSaved(
  settings: Settings,
  { isDue, at }: { isDue: boolean; at: Date },
): Date {
  if (!isDue) return nextRun(settings, at);
  return endOfQuiet(settings.quiet, settings.timeZone, at) ?? at;
}
