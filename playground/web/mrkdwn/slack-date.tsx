import { useNow } from '../use-now.ts';
import { useWorkspace } from '../workspace-context.ts';
import { formatSlackDate } from './format-date.ts';
import { SafeLink } from './safe-link.tsx';

type Props = {
  unixSeconds: number;
  format: string;
  url?: string | undefined;
  fallback: string;
};

/** A date in the acting person's time zone, with the full date as its title. */
export function SlackDate({ unixSeconds, format, url, fallback }: Props) {
  const { timeZone } = useWorkspace().me;
  const now = useNow(format.includes('{ago}'));
  const date = new Date(unixSeconds * 1000);
  if (Number.isNaN(date.getTime())) return fallback;
  const reader = { timeZone, now };
  const time = (
    <time
      className="date"
      dateTime={date.toISOString()}
      title={formatSlackDate(unixSeconds, '{date_long} at {time_secs}', reader)}
    >
      {formatSlackDate(unixSeconds, format, reader)}
    </time>
  );
  return url ? <SafeLink url={url}>{time}</SafeLink> : time;
}
