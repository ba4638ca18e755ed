import { useEffect, useState } from 'react';
import { useWorkspace } from './workspace-context.ts';

const MINUTE_MS = 60_000;

/** The time by the workspace's clock; every minute anew if it is ticking. */
export function useNow(isTicking = false): Date {
  const { aheadMs } = useWorkspace();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return new Date((isTicking ? now : Date.now()) + aheadMs);
}
