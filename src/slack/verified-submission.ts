import type { ViewOutput, ViewResponseAction } from '@slack/bolt';
import type { z } from 'zod';
import { type Message, section } from './blocks.ts';
import type { Call, FormOrigin, SubmissionCall } from './call.ts';
import { decodeValue } from './codec.ts';
import { type ModalView, noticeModal, showInModal } from './modal.ts';
import type { SlackClient } from './slack-client.ts';
import { parseViewValues, type ViewValues } from './view-values.ts';

/**
 * A form whose fields can only be judged by asking somebody else. Field errors travel in the
 * acknowledgement alone, so this is the one place where work comes before it, for 2 s at most.
 */
export type VerifiedSubmission<Metadata extends FormOrigin> = {
  metadata: z.ZodType<Metadata>;
  verify: (call: SubmissionCall<Metadata>) => Promise<Verdict>;
  /** Shown in place of the form when the verdict takes longer. */
  checking: ModalView;
  /** The form again, with its faults in words: views.update cannot mark fields. */
  formWithErrors: (
    errors: Record<string, string>,
    values: ViewValues,
    metadata: Metadata,
  ) => ModalView;
};

export type Verdict = { errors: Record<string, string> } | { done: ModalView };

const patienceMs = 2000;

type Submitted = {
  ack: (response: ViewResponseAction) => Promise<void>;
  view: ViewOutput;
  slack: SlackClient;
  admit: () => Promise<Call | { refusal: string }>;
  reportFailure: (error: unknown) => Message;
};

/** Acknowledges with field errors or the outcome; if that is late, with `checking`, and updates it. */
export async function answerVerified<M extends FormOrigin>(
  submission: VerifiedSubmission<M>,
  { ack, view, slack, admit, reportFailure }: Submitted,
): Promise<void> {
  const values = parseViewValues(view.state.values);
  const metadata = decodeValue(submission.metadata, view.private_metadata);

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
  const next =
    'done' in late ? late.done : submission.formWithErrors(late.errors, values, metadata);
  await showInModal(slack, view.id, next);
}

const outdated = noticeModal('Belay', [
  section(
    'This form is from an older version of Belay. Nothing was changed. Please open it again.',
  ),
]);

async function after(milliseconds: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
