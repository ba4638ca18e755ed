import type { ServerResponse } from 'node:http';
import { serve } from '../../support/serve.ts';

/** A Slack that responds to messages only when `answer` is called, and otherwise immediately. */
export async function startSlowSlack(): Promise<{ apiUrl: string; answer: () => void }> {
  const held: ServerResponse[] = [];
  const baseUrl = await serve((request, response) => {
    request.resume();
    if (request.url?.endsWith('chat.postMessage')) held.push(response);
    else send(response, { ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' });
  });
  return {
    apiUrl: `${baseUrl}/api/`,
    answer: () => {
      for (const response of held) send(response, { ok: true, ts: '1.1' });
    },
  };
}

function send(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}
