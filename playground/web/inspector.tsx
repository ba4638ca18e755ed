import { useEffect, useState } from 'react';
import type { Exchange, paths } from '../slack/protocol.ts';
import { formatSlackDate } from './mrkdwn/format-date.ts';
import { useNow } from './use-now.ts';
import { useWorkspace } from './workspace-context.ts';

// Typed instead of imported, because an import would add the protocol's schemas to the bundle.
const EXCHANGES: typeof paths.exchanges = '/local/exchanges';
const REFRESH_MS = 1000;
const MAX_SHOWN = 100;

/** What Slack and the app say to each other, in a panel that is closed at first. */
export function Inspector() {
  const [isOpen, setOpen] = useState(false);
  const { appName } = useWorkspace();
  return (
    <details className="inspector" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Requests between Slack and {appName}</summary>
      {isOpen && <Exchanges appName={appName} />}
    </details>
  );
}

function Exchanges({ appName }: { appName: string }) {
  const exchanges = useExchanges();
  const { timeZone } = useWorkspace().me;
  const now = useNow();
  if (exchanges.length === 0) {
    return (
      <p className="quiet">No requests. Send a command to see what Slack sends to {appName}.</p>
    );
  }
  const timeOf = (at: string) =>
    formatSlackDate(Date.parse(at) / 1000, '{time_secs}', { timeZone, now });
  return (
    <ul>
      {exchanges.toReversed().map((exchange) => (
        <li key={exchange.id}>
          <details>
            <summary>
              <time dateTime={exchange.at}>{timeOf(exchange.at)}</time>
              <span>{exchange.to === 'app' ? `Slack → ${appName}` : `${appName} → Slack`}</span>
              <strong>{exchange.name}</strong>
              <span data-ok={exchange.outcome === 'ok'}>{exchange.outcome}</span>
              <span>{exchange.ms} ms</span>
            </summary>
            <h3>Request</h3>
            <pre>{JSON.stringify(exchange.request, null, 2)}</pre>
            <h3>Response</h3>
            <pre>{JSON.stringify(exchange.response, null, 2)}</pre>
          </details>
        </li>
      ))}
    </ul>
  );
}

/** The last exchanges, oldest first; read again while the panel is open. */
function useExchanges(): Exchange[] {
  const [exchanges, setExchanges] = useState<Exchange[]>([]);
  const lastId = exchanges.at(-1)?.id ?? 0;
  useEffect(() => {
    const read = async () => {
      const found = await readAfter(lastId);
      if (found.length > 0) setExchanges((held) => [...held, ...found].slice(-MAX_SHOWN));
    };
    if (lastId === 0) void read();
    const timer = setInterval(() => void read(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [lastId]);
  return exchanges;
}

async function readAfter(id: number): Promise<Exchange[]> {
  try {
    const response = await fetch(`${EXCHANGES}?after=${id}`);
    const exchanges: Exchange[] = await response.json();
    return exchanges;
  } catch {
    // The banner says that the connection is lost.
    return [];
  }
}
