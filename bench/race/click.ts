import { messageDecisionIds } from '../../src/requests/views/ids.ts';
import { press, submitDenial } from '../replicas/send-interactions.ts';
import { holdRequests } from './hold-requests.ts';
import type { RaceSetup } from './open-race.ts';
import type { PostedRequest } from './post-requests.ts';

export type Rival = { approver: string; decision: 'approved' | 'denied'; replica: number };

/** One attempt to decide, and its HTTP response. */
export type Click = Rival & { approvalId: string; sentAt: number; answerMs: number; ok: boolean };

/**
 * Sends the decisions of all rivals on one request at the same time. An approval clicks the button, a
 * denial submits the form that its button had opened before.
 */
export async function clickAll(
  setup: RaceSetup,
  posted: PostedRequest,
  rivals: Rival[],
): Promise<Click[]> {
  const sentAt = Date.now();
  const answered = await Promise.all(rivals.map((rival) => click(setup, posted, rival)));
  return answered.map((one) => toClick(one, posted, sentAt));
}

/**
 * Like `clickAll`, for so many clicks that the local Slack would be the bottleneck; the real Slack
 * has many machines.
 */
export async function clickAtOnce(
  setup: RaceSetup,
  posted: PostedRequest,
  rivals: Rival[],
): Promise<Click[]> {
  const urls = setup.replicas.map(({ requestUrl }) => requestUrl);
  const held = await holdRequests(urls, rivals.length);
  try {
    const replicas = held.urls.map((requestUrl) => ({ requestUrl }));
    const clicks = rivals.map((rival) => click({ ...setup, replicas }, posted, rival));
    const sentAt = await held.release();
    return (await Promise.all(clicks)).map((one) => toClick(one, posted, sentAt));
  } finally {
    await held.stop();
  }
}

type Answered = Rival & { answeredAt: number; ok: boolean };

function toClick(
  { answeredAt, ...click }: Answered,
  { approval: { id: approvalId } }: PostedRequest,
  sentAt: number,
): Click {
  return { ...click, approvalId, sentAt, answerMs: answeredAt - sentAt };
}

async function click(
  { testBed, replicas }: Pick<RaceSetup, 'testBed' | 'replicas'>,
  { approval: { id: approvalId }, post }: PostedRequest,
  rival: Rival,
): Promise<Answered> {
  const { approver, decision } = rival;
  const to = replicas[rival.replica % replicas.length];
  if (!to) throw new Error('there is no replica');
  const ok =
    decision === 'approved'
      ? (await press(testBed, approver, post, messageDecisionIds.approve, to)).result === 'ok'
      : (await submitDenial(testBed, { approver, approvalId }, to)).kind === 'acked';
  return { ...rival, answeredAt: Date.now(), ok };
}
