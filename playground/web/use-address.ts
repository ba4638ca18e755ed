import { useSyncExternalStore } from 'react';

/** The acting person, the open conversation and the message to show there, from the URL. */
export type Address = {
  slackUserId: string | undefined;
  conversation: string | undefined;
  messageTs: string | undefined;
};

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
  // A slash within the name of a conversation is encoded.
  const [conversation = '', messageTs] = hash.slice(1).split('/');
  return {
    slackUserId: searchParams.get('as') ?? undefined,
    conversation: decodeFragment(conversation) || undefined,
    messageTs,
  };
}

export function conversationHref(name: string, messageTs?: string | undefined): string {
  return `#${encodeURIComponent(name)}${messageTs ? `/${messageTs}` : ''}`;
}

/** Removes the message from the address, so that the same link leads to it again. */
export function forgetMessage(): void {
  const [conversation = '#'] = window.location.hash.split('/');
  window.history.replaceState(null, '', conversation);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

export function actAs(slackUserId: string): void {
  const url = new URL(window.location.href);
  url.searchParams.set('as', slackUserId);
  window.history.pushState(null, '', url);
  window.dispatchEvent(new PopStateEvent('popstate'));
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
