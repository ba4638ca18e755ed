import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listen } from '../../../playground/listen.ts';
import { readBody } from '../../../playground/slack/http.ts';

export type Delivery = {
  headers: IncomingHttpHeaders;
  body: string;
  /** The form fields of a slash command, or the parsed JSON of an interaction or event. */
  payload: Record<string, unknown>;
};

/** The app's answer: a status and an optional body, or no answer at all. */
export type Reply = { status: number; body?: unknown } | 'never';

export type TinyApp = {
  url: string;
  deliveries: Delivery[];
  /** Decides on each delivery; by default an empty 200. */
  reply: (delivery: Delivery) => Reply;
  close: () => Promise<void>;
};

const payloadOf = (body: string): Record<string, unknown> => {
  if (body.startsWith('{')) return JSON.parse(body);
  const form = new URLSearchParams(body);
  const payload = form.get('payload');
  return payload === null ? Object.fromEntries(form) : JSON.parse(payload);
};

const answer = (response: ServerResponse, reply: Reply): void => {
  if (reply === 'never') return;
  const isText = typeof reply.body === 'string';
  response.writeHead(reply.status, { 'content-type': isText ? 'text/plain' : 'application/json' });
  response.end(isText || reply.body === undefined ? reply.body : JSON.stringify(reply.body));
};

/** A minimal app that records deliveries and answers as the test specifies. */
export const startTinyApp = async (): Promise<TinyApp> => {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const delivery = { headers: request.headers, body, payload: payloadOf(body) };
      app.deliveries.push(delivery);
      answer(response, app.reply(delivery));
    });
  });
  const { baseUrl, close } = await listen(server, 0);
  const app: TinyApp = {
    url: `${baseUrl}/slack/events`,
    deliveries: [],
    reply: () => ({ status: 200 }),
    close,
  };
  return app;
};
