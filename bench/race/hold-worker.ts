import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

/** Holds requests until the main thread releases them, then forwards all at once. */
type Held = { url: string; headers: IncomingHttpHeaders; body: Buffer; response: ServerResponse };

const { urls, count } = z.object({ urls: z.array(z.string()), count: z.int() }).parse(workerData);
const held: Held[] = [];

const server = createServer(async (incoming, response) => {
  const url = urls[Number(incoming.url?.slice(1))] ?? '';
  held.push({ url, headers: incoming.headers, body: await buffer(incoming), response });
  if (held.length === count) parentPort?.postMessage('complete');
});
server.listen(0, '127.0.0.1', () => parentPort?.postMessage(server.address()));

parentPort?.on('message', () => {
  for (const one of held) sendOn(one);
});

function sendOn({ url, headers, body, response }: Held): void {
  const sent = request(url, { method: 'POST', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  // As if Slack's own request had failed.
  sent.on('error', () => response.destroy());
  sent.end(body);
}
