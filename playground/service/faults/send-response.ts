import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { headersOf, type ServiceResponse, send } from '../http/response.ts';
import type { Fault } from './fault.ts';

const stepMs = 50;

/** Sends the response, damaged as the fault says. */
export async function sendWithFault(
  response: ServerResponse,
  result: ServiceResponse,
  fault: Fault | undefined,
  closing: AbortSignal,
): Promise<void> {
  switch (fault?.kind) {
    case 'drip':
      return await sendSlowly(response, result, fault.bytesPerSecond, closing);
    case 'reset-mid-body':
      return resetMidBody(response, result);
    case 'wrong-length':
      return sendWrongLength(response, result, fault.by);
    default:
      return send(response, result);
  }
}

async function sendSlowly(
  response: ServerResponse,
  result: ServiceResponse,
  bytesPerSecond: number,
  closing: AbortSignal,
): Promise<void> {
  const body = Buffer.from(result.text);
  const size = Math.max(1, Math.round((bytesPerSecond * stepMs) / 1000));
  const pause = (size * 1000) / bytesPerSecond;
  response.writeHead(result.status, headersOf(result));
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    response.write(body.subarray(at, at + size));
    await delay(pause, undefined, { signal: closing });
  }
  response.end();
}

function resetMidBody(response: ServerResponse, result: ServiceResponse): void {
  const body = Buffer.from(result.text);
  response.writeHead(result.status, headersOf(result));
  response.write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy());
}

/** A body shorter than announced only ends with the connection. */
function sendWrongLength(response: ServerResponse, result: ServiceResponse, by: number): void {
  const length = Math.max(0, Buffer.byteLength(result.text) + by);
  response.writeHead(result.status, { ...headersOf(result), 'content-length': length });
  response.end(result.text, () => response.socket?.destroySoon());
}
