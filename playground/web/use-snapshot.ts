import { useEffect, useState } from 'react';
import type { paths, Snapshot, SnapshotUpdate } from '../slack/protocol.ts';
import { share } from './share.ts';

// Typed instead of imported, because an import would add the protocol's schemas to the bundle.
const SNAPSHOTS: typeof paths.snapshots = '/local/snapshots';
const RECONNECT_MS = 2_000;

export type Connection = { snapshot: Snapshot | undefined; isConnected: boolean };

/** The live snapshot of a person, or of the first person without an id. */
export function useSnapshot(slackUserId: string | undefined): Connection {
  const [connection, setConnection] = useState<Connection>({
    snapshot: undefined,
    isConnected: true,
  });

  useEffect(() => {
    const address = addressFor(SNAPSHOTS, slackUserId);
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const connect = () => {
      source = new EventSource(address);
      source.onmessage = (event: MessageEvent<string>) => {
        const update: SnapshotUpdate = JSON.parse(event.data);
        setConnection((last) => ({
          snapshot: applyUpdate(last.snapshot, update),
          isConnected: true,
        }));
      };
      source.onerror = () => {
        setConnection((last) => ({ ...last, isConnected: false }));
        // The browser reconnects a dropped stream, but not after an HTTP error.
        if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RECONNECT_MS);
      };
    };
    connect();
    return () => {
      clearTimeout(retry);
      source.close();
    };
  }, [slackUserId]);

  return connection;
}

/** The next snapshot. Whatever did not change is the same object as before. */
function applyUpdate(
  last: Snapshot | undefined,
  { conversations, messages, ...rest }: SnapshotUpdate,
): Snapshot {
  const held = last?.conversations.flatMap((conversation) => conversation.messages) ?? [];
  const byTs = new Map([...held, ...messages].map((message) => [message.messageTs, message]));
  const snapshot: Snapshot = {
    ...rest,
    conversations: conversations.map(({ messageTs, ...conversation }) => ({
      ...conversation,
      messages: messageTs.flatMap((ts) => byTs.get(ts) ?? []),
    })),
  };
  return share(last, snapshot);
}

/** Modals open in the tab that asked for them, and a reload is a new tab. */
const TAB_ID = crypto.randomUUID();

export function addressFor(path: string, slackUserId: string | undefined): string {
  if (!slackUserId) return path;
  return `${path}?${new URLSearchParams({ as: slackUserId, tab: TAB_ID })}`;
}
