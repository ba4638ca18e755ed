import { approveActionId } from '../../src/features/approvals/views/ids.ts';
import { press, submitDenial } from '../replicas/send-interactions.ts';
import type { RaceSetup } from './open-race.ts';
import type { PostedRequest } from './post-requests.ts';

export type Rival = { approver: string; decision: 'approved' | 'denied'; replica: number };

/** One attempt to decide, and its HTTP response. */
export type Click = Rival & { approvalId: string; sentAt: number; answerMs: number; ok: boolean };

/**
 * Sends the decisions of all rivals on one request at the same time. An approval clicks the button, a
 * denial submits the form that its button had opened before.
 */
export function clickAll(
  setup: RaceSetup,
  posted: PostedRequest,
  rivals: Rival[],
): Promise<Click[]> {
  const sentAt = Date.now();
  return Promise.all(rivals.map((rival) => click(setup, posted, { ...rival, sentAt })));
}

async function click(
  { testBed, replicas }: RaceSetup,
  { approval: { id: approvalId }, post }: PostedRequest,
  { sentAt, ...rival }: Rival & { sentAt: number },
): Promise<Click> {
  const { approver, decision } = rival;
  const to = replicas[rival.replica % replicas.length];
  if (!to) throw new Error('there is no replica');
  const begun = performance.now();
  const ok =
    decision === 'approved'
      ? (await press(testBed, approver, post, approveActionId, to)).result === 'ok'
      : (await submitDenial(testBed, { approver, approvalId }, to)).kind === 'acked';
  return { ...rival, approvalId, sentAt, answerMs: performance.now() - begun, ok };
}
