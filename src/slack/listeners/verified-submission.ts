import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { z } from 'zod';
import type { SlackClient } from '../api/slack-client.ts';
import { type Message, message, notice, section } from '../ui/blocks.ts';
import { type ModalView, noticeModal, showInModal } from '../ui/modal.ts';
import { escapeMrkdwn } from '../ui/mrkdwn.ts';
import { parseViewValues } from '../ui/view-values.ts';
import type { Call, FormOrigin, SubmissionCall } from './call.ts';

/**
 * A form whose fields can only be judged by asking somebody else. Field errors travel in the
 * acknowledgement alone, so this is the one place where work comes before it, for 2 s at most.
 */
export type VerifiedSubmission<Metadata extends FormOrigin> = {
  metadata: z.ZodType<Metadata>;
  verify: (call: SubmissionCall<Metadata>) => Promise<Verdict>;
  /** Shown in place of the form when the verdict takes longer. */
  checking: ModalView;
};

export type Verdict =
  /** By block id. `again` is the form with its faults in words: views.update cannot mark fields. */
  { errors: Record<string, string>; again: ModalView } | { done: ModalView };

const patienceMs = 2000;

type Submitted<Metadata> = {
  ack: (response: ViewResponseAction) => Promise<void>;
  view: ViewOutput;
  /** Undefined for a form of an older version. */
  metadata: Metadata | undefined;
  slack: SlackClient;
  admit: () => Promise<Call | { refusal: string }>;
  reportFailure: (error: unknown) => Message;
  /** Tells the person outside the modal. */
  say: (message: Message) => Promise<void>;
};

/**
 * Acknowledges with field errors or the outcome; if that is late, with `checking`, and updates it.
 * Whoever closes it meanwhile is told the outcome all the same.
 */
export async function answerVerified<M extends FormOrigin>(
  submission: VerifiedSubmission<M>,
  { ack, view, metadata, slack, admit, reportFailure, say }: Submitted<M>,
): Promise<void> {
  const values = parseViewValues(view.state.values);
  if (!metadata) return ack({ response_action: 'update', view: outdated });

  const decide = async (): Promise<Verdict> => {
    const call = await admit();
    if ('refusal' in call) return { done: noticeModal('Belay', [section(call.refusal)]) };
    return submission.verify({ ...call, metadata, values, viewId: view.id });
  };
  const verdict = decide().catch((error: unknown): Verdict => {
    return { done: noticeModal('Belay', reportFailure(error).blocks ?? []) };
  });

  const early = await Promise.race([verdict, after(patienceMs)]);
  if (early && 'errors' in early) return ack({ response_action: 'errors', errors: early.errors });
  if (early) return ack({ response_action: 'update', view: early.done });

  await ack({ response_action: 'update', view: submission.checking });
  const late = await verdict;
  const isSeen = await showInModal(slack, view.id, 'done' in late ? late.done : late.again);
  if (!isSeen) await say(outcomeMessage(late));
}

function outcomeMessage(verdict: Verdict): Message {
  if ('done' in verdict) return message(verdict.done.title.text, verdict.done.blocks);
  const faults = Object.values(verdict.errors).map(escapeMrkdwn);
  return notice(`What you sent was not accepted. Nothing was changed.\n${faults.join('\n')}`);
}

const outdated = noticeModal('Belay', [
  section(
    'This form is from an older version of Belay. Nothing was changed. Please open it again.',
  ),
]);

async function after(milliseconds: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
