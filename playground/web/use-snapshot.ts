import { useEffect, useState } from 'react';
import type { paths, Snapshot } from '../slack/protocol.ts';

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
    const address = withPerson(SNAPSHOTS, slackUserId);
    let source: EventSource;
    let retry: ReturnType<typeof setTimeout> | undefined;
    const connect = () => {
      source = new EventSource(address);
      source.onmessage = (event: MessageEvent<string>) => {
        setConnection({ snapshot: JSON.parse(event.data), isConnected: true });
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

export function withPerson(path: string, slackUserId: string | undefined): string {
  return slackUserId ? `${path}?as=${encodeURIComponent(slackUserId)}` : path;
}
