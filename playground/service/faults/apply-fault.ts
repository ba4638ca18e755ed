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
  handle: (target: string) => ServiceResponse;
  state: PortalState;
  closing: AbortSignal;
};

/** The response to a request with a fault; undefined if nothing more is sent. */
export async function applyFault(
  hit: FaultHit,
  faulted: FaultedRequest,
): Promise<ServiceResponse | undefined> {
  const { fault, previousHits, removed } = hit;
  const { request, closing } = faulted;
  const target = request.url ?? '';
  // With `afterActing` the request takes effect even if the fault replaces its response.
  const handled = fault.afterActing ? faulted.handle(target) : undefined;
  const response = () => handled ?? faulted.handle(target);

  switch (fault.kind) {
    case 'slow':
      await delay(fault.delayMs, undefined, { signal: closing });
      return response();
    case 'held':
      if (!removed.aborted) await once(removed, 'abort', { signal: closing });
      return response();
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
      return truncate(response());
    case 'wrong-type':
      return { ...response(), contentType: fault.contentType ?? 'text/plain' };
    case 'foreign-links':
      return rewriteLinks(response(), fault);
    case 'repeating-page':
      return repeatPage(response());
    case 'endless-list':
      return addEndlessPage(target, faulted.handle, previousHits);
    case 'changing-list':
      return changeListAfter(response(), fault.change, target, faulted.state);
    case 'drip':
    case 'reset-mid-body':
    case 'wrong-length':
      // These affect how the response is sent (send-response.ts), not its content.
      return response();
  }
}

function truncate(response: ServiceResponse): ServiceResponse {
  return { ...response, text: response.text.slice(0, response.text.length / 2) };
}

function changeListAfter(
  response: ServiceResponse,
  change: 'insert' | 'remove' | 'update',
  target: string,
  { store, clock }: PortalState,
): ServiceResponse {
  const itemId = firstItemId(response);
  if (itemId !== undefined) changeList(target, itemId, change, { store, now: clock() });
  return response;
}
