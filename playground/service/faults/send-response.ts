import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, headersOf, send } from '../http/response.ts';
import type { Fault } from './fault.ts';

const stepMs = 50;

/** Sends the answer, as badly as the fault has it. */
export async function deliver(
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
  closing: AbortSignal,
): Promise<void> {
  switch (fault?.kind) {
    case 'drip':
      return await drip(response, answer, fault.bytesPerSecond, closing);
    case 'reset-mid-body':
      return breakOff(response, answer);
    case 'wrong-length':
      return misstate(response, answer, fault.by);
    default:
      return send(response, answer);
  }
}

async function drip(
  response: ServerResponse,
  answer: Answer,
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

function breakOff(response: ServerResponse, answer: Answer): void {
  const body = Buffer.from(answer.text);
  response.writeHead(answer.status, headersOf(answer));
  response.write(body.subarray(0, body.length / 2), () => response.socket?.resetAndDestroy());
}

/** A body that is shorter than announced ends with the connection; there is no other end to it. */
function misstate(response: ServerResponse, answer: Answer, by: number): void {
  const length = Math.max(0, Buffer.byteLength(answer.text) + by);
  response.writeHead(answer.status, { ...headersOf(answer), 'content-length': length });
  response.end(answer.text, () => response.socket?.destroySoon());
}
