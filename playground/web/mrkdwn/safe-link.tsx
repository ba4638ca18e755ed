import type { ReactNode } from 'react';
import { useTabIndex } from '../tab-stop.ts';

const allowed = /^(https?|mailto):/i;

/** Links only to web and mail addresses, so that `javascript:` URLs can't run. */
export function SafeLink({ url, children }: { url: string; children: ReactNode }) {
  const tabIndex = useTabIndex();
  if (!allowed.test(url)) return children;
  return (
    <a href={url} tabIndex={tabIndex} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
