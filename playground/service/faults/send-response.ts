import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { headersOf, type ServiceResponse, send } from '../http/response.ts';
import type { Fault } from './fault.ts';

const stepMs = 50;

/** Sends the response, damaged as the fault says. */
export async function sendWithFault(
  response: ServerResponse,
  answer: ServiceResponse,
  fault: Fault | undefined,
  closing: AbortSignal,
): Promise<void> {
  switch (fault?.kind) {
    case 'drip':
      return await sendSlowly(response, answer, fault.bytesPerSecond, closing);
    case 'reset-mid-body':
      return resetMidBody(response, answer);
    case 'wrong-length':
      return sendWrongLength(response, answer, fault.by);
    default:
      return send(response, answer);
  }
}

async function sendSlowly(
  response: ServerResponse,
  answer: ServiceResponse,
  bytesPerSecond: number,
  closing: AbortSignal,
): Promise<void> {
  const body = Buffer.from(answer.text);
  const size = Math.max(1, Math.round((bytesPerSecond * stepMs) / 1000));
  const pause = (size * 1000) / bytesPerSecond;
  response.writeHead(answer.status, headersOf(answer));
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    response.write(body.subarray(at, at + size));
    await delay(pause, undefined, { signal: closing });
  }
  response.end();
}

function resetMidBody(response: ServerResponse, answer: ServiceResponse): void {
  const body = Buffer.from(answer.text);
  response.writeHead(answer.status, headersOf(answer));
  response.write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy());
}

/** A body shorter than announced only ends with the connection. */
function sendWrongLength(response: ServerResponse, answer: ServiceResponse, by: number): void {
  const length = Math.max(0, Buffer.byteLength(answer.text) + by);
  response.writeHead(answer.status, { ...headersOf(answer), 'content-length': length });
  response.end(answer.text, () => response.socket?.destroySoon());
}
