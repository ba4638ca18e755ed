import type { ServerResponse } from 'node:http';
import { sendJson } from '../http.ts';
import { type ApiAnswer, failure, retryAfterOf } from './method.ts';

/** A fault for a call: an error code, or a failure on the way to the app. */
export type ApiFault =
  | string
  /** This HTTP status, without a body. */
  | { status: number; afterActing?: true }
  /** The call takes effect, but the answer is this error. */
  | { error: string; afterActing: true }
  /** HTTP 429 with this Retry-After. */
  | { retryAfterSeconds: number }
  /** The call takes effect, but the connection ends without an answer. */
  | { isAnswerLost: true }
  /** The call takes effect, but the answer comes once this resolves. */
  | { answerAfter: () => Promise<unknown> };

/** The faults that tests set for calls to come. */
export type FaultBook = {
  /**
   * Sets the fault of the next call of this method. With `onlyFor`, of the next call that has a token of
   * this installation (`T…` or `E…`) or names this channel (`C…`).
   */
  add: (method: string, fault: ApiFault, onlyFor?: string) => void;
  /** Takes the fault of a call that has a token of this installation and names this channel. */
  take: (method: string, targetId: string | undefined, channelId?: unknown) => ApiFault | undefined;
  clear: () => void;
};

export const createFaultBook = (): FaultBook => {
  let next: { method: string; fault: ApiFault; onlyFor: string | undefined }[] = [];
  return {
    add: (method, fault, onlyFor) => {
      next.push({ method, fault, onlyFor });
    },
    take: (method, targetId, channelId) => {
      const found = next.find(
        (one) =>
          one.method === method &&
          (one.onlyFor === undefined || [targetId, channelId].includes(one.onlyFor)),
      );
      next = next.filter((one) => one !== found);
      return found?.fault;
    },
    clear: () => {
      next = [];
    },
  };
};

/** The answer to a call that a fault keeps from taking effect. */
export const faultyAnswer = (fault: ApiFault | undefined): ApiAnswer | undefined => {
  if (fault === undefined) return undefined;
  if (typeof fault === 'string') return failure(fault);
  if ('status' in fault && !fault.afterActing) return failure(`http_${fault.status}`);
  if ('retryAfterSeconds' in fault) return failure('ratelimited');
  return undefined;
};

const secondsToWait = (result: ApiAnswer, fault: ApiFault | undefined): number =>
  typeof fault === 'object' && 'retryAfterSeconds' in fault
    ? fault.retryAfterSeconds
    : (retryAfterOf(result) ?? 1);

/** Sends an answer, or what the fault makes of it. */
export const sendAnswer = (
  response: ServerResponse,
  result: ApiAnswer,
  fault: ApiFault | undefined,
): void => {
  if (typeof fault === 'object') {
    if ('isAnswerLost' in fault) return void response.destroy();
    if ('status' in fault) return void response.writeHead(fault.status).end();
    if ('error' in fault) return void sendJson(response, 200, failure(fault.error));
    if ('answerAfter' in fault) {
      return void fault.answerAfter().then(() => sendJson(response, 200, result));
    }
  }
  const isLimited = result.error === 'ratelimited';
  if (isLimited) response.setHeader('retry-after', secondsToWait(result, fault));
  sendJson(response, isLimited ? 429 : 200, result);
};
