import { createServer } from 'node:http';
import { createPages } from './user-pages.ts';

/**
 * A child process that serves a list with the number of users in its argument. Pages are rendered
 * before the first request, so that only the contenders' time is measured.
 */
const pages = createPages(Number(process.argv[2]));

const server = createServer((request, response) => {
  const start = Number(/[?&]start=(\d+)/.exec(request.url ?? '')?.[1] ?? 1);
  const page = pages.get(start);
  if (!page) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length });
  response.end(page);
});
// Long, so that no contender sends a request on a connection that is being closed.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.(address.port);
});
process.once('disconnect', () => process.exit());
