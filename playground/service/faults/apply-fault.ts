import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceResponse } from '../http/response.ts';
import type { PortalState } from '../portal/handle-request.ts';
import type { FaultHit } from './active-faults.ts';
import { changeList } from './change-list.ts';
import { emptyResponse, garbage, htmlPage, redirectTo, statusResponse } from './fault-responses.ts';
import { addEndlessPage, firstItemId, repeatPage, rewriteLinks } from './faulty-lists.ts';

type FaultedRequest = {
  request: IncomingMessage;
  /** Handles the request, or the same one for another path and query. */
  act: (target: string) => ServiceResponse;
  state: PortalState;
  closing: AbortSignal;
};

/** The response to a request with a fault; undefined if nothing more is sent. */
export async function applyFault(
  strike: FaultHit,
  struck: FaultedRequest,
): Promise<ServiceResponse | undefined> {
  const { fault, before } = strike;
  const { request, closing } = struck;
  const target = request.url ?? '';
  const acted = fault.afterActing ? struck.act(target) : undefined;
  const answer = () => acted ?? struck.act(target);

  switch (fault.kind) {
    case 'slow':
      await delay(fault.delayMs, undefined, { signal: closing });
      return answer();
    case 'html':
      return htmlPage;
    case 'status':
      return statusResponse(fault);
    case 'empty':
      return emptyResponse;
    case 'garbage':
      return garbage;
    case 'redirect':
      return redirectTo(fault);
    case 'hang':
      await once(request.socket, 'close', { signal: closing });
      return undefined;
    case 'reset':
      request.socket.resetAndDestroy();
      return undefined;
    case 'cut-off':
      return truncate(answer());
    case 'wrong-type':
      return { ...answer(), contentType: fault.contentType ?? 'text/plain' };
    case 'foreign-links':
      return rewriteLinks(answer(), fault);
    case 'repeating-page':
      return repeatPage(answer());
    case 'endless-list':
      return addEndlessPage(target, struck.act, before);
    case 'changing-list':
      return changeListAfter(answer(), fault.change, target, struck.state);
    case 'drip':
    case 'reset-mid-body':
    case 'wrong-length':
      // These affect how the response is sent (send-response.ts), not its content.
      return answer();
  }
}

function truncate(answer: ServiceResponse): ServiceResponse {
  return { ...answer, text: answer.text.slice(0, answer.text.length / 2) };
}

function changeListAfter(
  answer: ServiceResponse,
  change: 'insert' | 'remove' | 'update',
  target: string,
  { store, clock }: PortalState,
): ServiceResponse {
  const itemId = firstItemId(answer);
  if (itemId !== undefined) changeList(target, itemId, change, { store, now: clock() });
  return answer;
}
