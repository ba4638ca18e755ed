import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../../playground/listen.ts';

/** The address of a server that handles every request with `listener`; closed after the test. */
export async function serve(listener: RequestListener): Promise<string> {
  const { baseUrl, close } = await listen(createServer(listener), 0);
  onTestFinished(close);
  return baseUrl;
}
