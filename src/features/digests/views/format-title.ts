import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import type { AlertGroup, DigestContents } from '../digest-contents.ts';
import { counted } from './format-digest.ts';

/** "3 new alerts (2 errors, 1 warning) · 12 still open · 5 cleared" */
export function headline({
  fresh,
  open,
  cleared,
}: Pick<DigestContents, 'fresh' | 'open' | 'cleared'>): string {
  const parts = [
    fresh &&
      (noneFound(fresh, 'new') ??
        `${least(fresh)}${counted(fresh.alerts.length, 'new alert')}${severities(fresh)}`),
    open &&
      (noneFound(open, 'open') ??
        `${least(open)}${open.alerts.length} ${fresh ? 'still open' : 'open'}${severities(open)}`),
    cleared &&
      (noneFound(cleared, 'cleared') ?? `${least(cleared)}${cleared.alerts.length} cleared`),
  ].filter(Boolean);
  const text = parts.join(' · ') || 'Worth a look:';
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A count of 0 would claim that there are none. Undefined when it is true, or there are some. */
function noneFound({ alerts, stopped }: AlertGroup, what: string): string | undefined {
  return stopped && alerts.length === 0 ? `no ${what} alert found` : undefined;
}

function least({ stopped }: AlertGroup): string {
  return stopped ? 'at least ' : '';
}

const shownSeverities = 3;

function severities({ alerts }: AlertGroup): string {
  const groups = Map.groupBy(alerts, ({ severity }: Alert) => severity ?? 'unknown');
  if (groups.size === 0) return '';
  const shown = [...groups].slice(0, shownSeverities);
  const told = shown.map(([name, { length }]) =>
    name === 'error' || name === 'warning' ? counted(length, name) : `${length} ${safe(name, 40)}`,
  );
  const rest =
    groups.size > shown.length ? [counted(groups.size - shown.length, 'other kind')] : [];
  return ` (${[...told, ...rest].join(', ')})`;
}
