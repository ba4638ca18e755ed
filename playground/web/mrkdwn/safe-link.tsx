import type { ReactNode } from 'react';

const allowed = /^(https?|mailto):/i;

/** Text from an app never gets to run as a `javascript:` address. */
export function SafeLink({ url, children }: { url: string; children: ReactNode }) {
  if (!allowed.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
