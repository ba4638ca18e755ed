import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const address = z.object({ port: z.number() });

/** A Slack that responds to messages only when `answer` is called, and otherwise immediately. */
export async function startSlowSlack(): Promise<{ apiUrl: string; answer: () => void }> {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith('chat.postMessage')) held.push(response);
    else send(response, { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    apiUrl: `http://127.0.0.1:${address.parse(server.address()).port}/api/`,
    answer: () => {
      for (const response of held) send(response, { ok: true, ts: '1.1' });
    },
  };
}

function send(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}
