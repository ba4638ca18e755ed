import type { ServerResponse } from 'node:http';
import { sendJson } from '../http.ts';
import { type ApiAnswer, failure } from './method.ts';

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
  /** The call takes effect, but the answer waits for this. */
  | { heldUntil: Promise<unknown> };

/** A call as far as faults are concerned. `placeId`: whose token it has, `T…` or `E…`. */
export type FaultedCall = {
  method: string;
  placeId: string | undefined;
  arguments: Record<string, unknown>;
};

/** Decides on each call whether it fails. */
export type FaultPolicy = (call: FaultedCall) => ApiFault | undefined;

/** The faults that tests set for calls to come. */
export type FaultBook = {
  /** For the next call of the method: any, or one with a token of the place. */
  add: (method: string, fault: ApiFault, placeId?: string) => void;
  /** For all calls that have no fault of their own. */
  setPolicy: (policy: FaultPolicy | undefined) => void;
  take: (call: FaultedCall) => ApiFault | undefined;
  clear: () => void;
};

export const createFaultBook = (): FaultBook => {
  let next: { method: string; fault: ApiFault; placeId: string | undefined }[] = [];
  let policy: FaultPolicy | undefined;
  return {
    add: (method, fault, placeId) => {
      next.push({ method, fault, placeId });
    },
    setPolicy: (given) => {
      policy = given;
    },
    take: (call) => {
      const found = next.find(
        ({ method, placeId }) =>
          method === call.method && (placeId === undefined || placeId === call.placeId),
      );
      if (!found) return policy?.(call);
      next = next.filter((one) => one !== found);
      return found.fault;
    },
    clear: () => {
      next = [];
      policy = undefined;
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

const secondsToWait = (fault: ApiFault | undefined): number =>
  typeof fault === 'object' && 'retryAfterSeconds' in fault ? fault.retryAfterSeconds : 1;

/** Sends an answer, or what the fault makes of it. */
export const sendAnswer = async (
  response: ServerResponse,
  result: ApiAnswer,
  fault: ApiFault | undefined,
): Promise<void> => {
  if (typeof fault === 'object') {
    if ('isAnswerLost' in fault) return void response.destroy();
    if ('status' in fault) return void response.writeHead(fault.status).end();
    if ('error' in fault) return sendJson(response, 200, failure(fault.error));
    if ('heldUntil' in fault) await fault.heldUntil;
  }
  const isLimited = result.error === 'ratelimited';
  if (isLimited) response.setHeader('retry-after', secondsToWait(fault));
  sendJson(response, isLimited ? 429 : 200, result);
};
