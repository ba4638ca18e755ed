import type { ReactNode } from 'react';

const allowed = /^(https?|mailto):/i;

/** Links only to web and mail addresses, so that `javascript:` URLs can't run. */
export function SafeLink({ url, children }: { url: string; children: ReactNode }) {
  if (!allowed.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
