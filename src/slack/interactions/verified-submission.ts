import type { z } from 'zod';
import { notifyPerson } from '../api/post.ts';
import { type AnswerConnection, answerOn } from '../ui/answer-connection.ts';
import { type Message, message, notice, section } from '../ui/blocks.ts';
import { decodeValue } from '../ui/codec.ts';
import { bindModal, type ModalView, noticeModal, showInModal } from '../ui/modal.ts';
import { escapeMrkdwn } from '../ui/mrkdwn.ts';
import { parseViewValues } from '../ui/view-values.ts';
import { authorizeCaller, type Caller, type ListenerDependencies } from './authorize-caller.ts';
import type { FormOrigin, Right, SubmissionInteraction } from './interaction.ts';
import { openClient } from './open-client.ts';
import { reportFailure, runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';
import { readSubmitted, recipientOf } from './submission.ts';

/** A form whose fields can only be checked by asking another system. */
export type VerifiedSubmission<Metadata extends FormOrigin> = {
  metadata: z.ZodType<Metadata>;
  needs?: Right;
  verify: (interaction: SubmissionInteraction<Metadata>) => Promise<VerificationResult>;
  /** Replaces the form while the check takes longer than 2 s. */
  pending: ModalView;
};

export type VerificationResult =
  /**
   * `errors` by block id. `retry` is the form with the errors in its text, for a late result:
   * views.update cannot mark fields.
   */
  | { errors: Record<string, string>; retry: ModalView }
  /** `ifClosed` is sent if the modal is closed by then; without it, the text of `done`. */
  | { done: ModalView; ifClosed?: Message };

const maxWaitMs = 2000;

/**
 * A form that stays open until its fields have been checked. Field errors travel only in the
 * acknowledgement, so this is the one listener that works before it, for 2 s at most, a refresh of the
 * bot token included. After that it shows `pending` and updates the modal, or sends a message to a
 * person who has closed it.
 * https://docs.slack.dev/surfaces/modals#displaying_errors
 */
export function listenForVerifiedSubmission<Metadata extends FormOrigin>(
  routes: Routes,
  dependencies: ListenerDependencies,
  callbackId: string,
  submission: VerifiedSubmission<Metadata>,
): void {
  routes.submission(callbackId, async ({ ack, body, view, context }) => {
    const submitted = readSubmitted(callbackId, body, context);
    const metadata = decodeValue(submission.metadata, view.private_metadata);
    let connection: AnswerConnection | undefined;
    const show = (shown: ModalView) =>
      ack({ response_action: 'update', view: bindModal(shown, { slack: submitted, connection }) });
    const timeout = after(maxWaitMs);
    const opening = openClient(submitted, dependencies);
    const isOpenInTime = (await Promise.race([opening, timeout])) !== undefined;
    if (!isOpenInTime) await show(submission.pending);
    const opened = await opening;
    if ('refusal' in opened) {
      // Without a client, a modal that is acknowledged can't be changed.
      if (!isOpenInTime) return;
      return ack({ response_action: 'update', view: belayModal(opened.refusal) });
    }
    const { slack } = opened;
    const caller: Caller = { ...submitted, slack };
    const to = recipientOf(submitted, metadata);
    const send = (message: Message) => notifyPerson(slack, to, message);

    await runReportingFailure(dependencies, caller, send, async () => {
      const values = parseViewValues(view.state.values);
      const verify = async (): Promise<VerificationResult> => {
        if (!metadata) return { done: outdatedForm };
        const authorized = await authorizeCaller(caller, dependencies, submission.needs);
        if ('refusal' in authorized) return { done: belayModal(notice(authorized.refusal)) };
        connection = authorized.connection;
        return submission.verify({ ...authorized, metadata, values, viewId: view.id });
      };
      const verifying = verify().catch((error: unknown): VerificationResult => {
        return { done: belayModal(reportFailure(dependencies, error, caller)) };
      });

      const early = isOpenInTime ? await Promise.race([verifying, timeout]) : undefined;
      if (early && 'errors' in early) {
        return ack({ response_action: 'errors', errors: early.errors });
      }
      if (early) return show(early.done);

      if (isOpenInTime) await show(submission.pending);
      const late = await verifying;
      const isSeen = await showInModal(
        { slack, connection },
        view.id,
        'done' in late ? late.done : late.retry,
      );
      if (!isSeen) await send(answerOn(resultMessage(late), connection));
    });
  });
}

function resultMessage(result: VerificationResult): Message {
  if ('done' in result) {
    return result.ifClosed ?? message(result.done.blocks);
  }
  const errors = Object.values(result.errors).map(escapeMrkdwn);
  return notice(`Belay didn't accept the form. Nothing was changed.\n${errors.join('\n')}`);
}

function belayModal({ blocks = [] }: Message): ModalView {
  return noticeModal('Belay', blocks);
}

const outdatedForm = noticeModal('Belay', [
  section('This form is from another version of Belay. Nothing was changed. Open the form again.'),
]);

async function after(milliseconds: number): Promise<undefined> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
