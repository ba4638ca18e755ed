import { approveActionId } from '../../src/features/approvals/views/ids.ts';
import { press, submitDenial } from '../replicas/gestures.ts';
import type { Ring } from './open-ring.ts';
import type { Placed } from './place-requests.ts';

export type Rival = { approver: string; wish: 'approved' | 'denied'; replica: number };

/** One try to decide, and how its HTTP answer came. */
export type Click = Rival & { approvalId: string; sentAt: number; answerMs: number; ok: boolean };

/**
 * All rivals of one request at the same moment. To approve is to press the button; to deny, to send
 * the form that the button had opened before.
 */
export function clickAll(ring: Ring, placed: Placed, rivals: Rival[]): Promise<Click[]> {
  const sentAt = Date.now();
  return Promise.all(rivals.map((rival) => click(ring, placed, { ...rival, sentAt })));
}

async function click(
  { stage, replicas }: Ring,
  { approval: { id: approvalId }, post }: Placed,
  { sentAt, ...rival }: Rival & { sentAt: number },
): Promise<Click> {
  const { approver, wish } = rival;
  const to = replicas[rival.replica % replicas.length];
  if (!to) throw new Error('there is no replica');
  const begun = performance.now();
  const ok =
    wish === 'approved'
      ? (await press(stage, approver, post, approveActionId, to)).result === 'ok'
      : (await submitDenial(stage, { approver, approvalId }, to)).status === 200;
  return { ...rival, approvalId, sentAt, answerMs: performance.now() - begun, ok };
}
