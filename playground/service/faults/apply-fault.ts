import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../http/response.ts';
import type { PortalState } from '../portal/handle-request.ts';
import type { Strike } from './active-faults.ts';
import { changeList } from './change-list.ts';
import { answerStatus, emptyAnswer, garbage, htmlPage, redirectTo } from './fault-responses.ts';
import { firstIdOf, leadAway, leadInCircle, leadOn } from './faulty-lists.ts';

type Struck = {
  request: IncomingMessage;
  /** Answers the request, or another like it. */
  act: (target: string) => Answer;
  state: PortalState;
  closing: AbortSignal;
};

/** What is to be sent to a request that met a fault; undefined if nothing is to be sent any more. */
export async function suffer(strike: Strike, struck: Struck): Promise<Answer | undefined> {
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
      return answerStatus(fault);
    case 'empty':
      return emptyAnswer;
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
      return halve(answer());
    case 'wrong-type':
      return { ...answer(), contentType: fault.contentType ?? 'text/plain' };
    case 'foreign-links':
      return leadAway(answer(), fault);
    case 'repeating-page':
      return leadInCircle(answer());
    case 'endless-list':
      return leadOn(target, struck.act, before);
    case 'changing-list':
      return changeAfterwards(answer(), fault.change, target, struck.state);
    case 'drip':
    case 'reset-mid-body':
    case 'wrong-length':
      // These spoil the way the answer is sent, not the answer.
      return answer();
  }
}

function halve(answer: Answer): Answer {
  return { ...answer, text: answer.text.slice(0, answer.text.length / 2) };
}

function changeAfterwards(
  answer: Answer,
  change: 'insert' | 'remove' | 'update',
  target: string,
  { store, clock }: PortalState,
): Answer {
  const itemId = firstIdOf(answer);
  if (itemId !== undefined) changeList(target, itemId, change, { store, now: clock() });
  return answer;
}
