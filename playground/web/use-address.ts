import { useSyncExternalStore } from 'react';

/** The acting person and the open conversation, from the URL. */
export type Address = { slackUserId: string | undefined; conversation: string | undefined };

function subscribe(onChange: () => void): () => void {
  window.addEventListener('popstate', onChange);
  window.addEventListener('hashchange', onChange);
  return () => {
    window.removeEventListener('popstate', onChange);
    window.removeEventListener('hashchange', onChange);
  };
}

export function useAddress(): Address {
  const href = useSyncExternalStore(subscribe, () => window.location.href);
  const { searchParams, hash } = new URL(href);
  return {
    slackUserId: searchParams.get('as') ?? undefined,
    conversation: decodeFragment(hash) || undefined,
  };
}

export function conversationHref(name: string): string {
  return `#${encodeURIComponent(name)}`;
}

export function actAs(slackUserId: string): void {
  const url = new URL(window.location.href);
  url.searchParams.set('as', slackUserId);
  window.history.pushState(null, '', url);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

function decodeFragment(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1);
  }
}
