import { setTimeout as sleep } from 'node:timers/promises';
import { notifyPerson } from '../api/post.ts';
import { type AnswerConnection, answerOn } from '../ui/answer-connection.ts';
import { type Message, message, notice } from '../ui/blocks.ts';
import { decodeValue } from '../ui/codec.ts';
import {
  checkFields,
  type Fields,
  type Form,
  type FormErrors,
  type FormOrigin,
  foundErrors,
  readFields,
  withErrors,
} from '../ui/form.ts';
import { belayModal, bindModal, type ModalView, showInModal } from '../ui/modal.ts';
import { escapeMrkdwn } from '../ui/mrkdwn.ts';
import { parseViewValues } from '../ui/view-values.ts';
import { authorizeCaller, type ListenerDependencies } from './authorize-caller.ts';
import type { Right, SubmissionInteraction } from './interaction.ts';
import { openClient } from './open-client.ts';
import { reportFailure, runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';
import { outdatedForm, readSubmitted, recipientOf } from './submission.ts';

/** A form whose fields can only be checked by asking another system. */
export type VerifiedSubmission<Metadata extends FormOrigin, Of extends Fields> = {
  needs?: Right;
  verify: (interaction: SubmissionInteraction<Metadata, Of>) => Promise<VerificationResult>;
  /** Replaces the form while the check takes longer than 2 s. */
  pending: ModalView;
};

export type VerificationResult =
  /** Not accepted. `retry` is the form as it was filled in, for a late result. */
  | { errors: FormErrors; retry: ModalView }
  /** `ifClosed` is sent if the modal is closed by then; without it, the text of `done`. */
  | { done: ModalView; ifClosed?: Message };

/** Without `retry`, a field refuses what Slack's own form doesn't let people enter. */
type Checked = VerificationResult | { errors: FormErrors; retry?: undefined };

const maxWaitMs = 2000;

/**
 * A form that stays open until its fields have been checked. Field errors travel only in the
 * acknowledgement, so this is the one listener that works before it, for 2 s at most, a refresh of the
 * bot token included. After that it shows `pending` and updates the modal, or sends a message to a
 * person who has closed it.
 * https://docs.slack.dev/surfaces/modals#displaying_errors
 */
export function listenForVerifiedSubmission<Metadata extends FormOrigin, Of extends Fields>(
  routes: Routes,
  dependencies: ListenerDependencies,
  form: Form<Metadata, Of>,
  submission: VerifiedSubmission<Metadata, Of>,
): void {
  routes.submission(form.id, async ({ ack, body, view, context }) => {
    const values = parseViewValues(view.state.values);
    const metadata = decodeValue(form.metadata, view.private_metadata);
    const submitted = readSubmitted(form.id, body, context);
    let connection: AnswerConnection | undefined;
    const show = (shown: ModalView) =>
      ack({ response_action: 'update', view: bindModal(shown, { slack: submitted, connection }) });
    const timeout = sleep(maxWaitMs, undefined, { ref: false });
    const opening = openClient(submitted, dependencies);
    const isOpenInTime = (await Promise.race([opening, timeout])) !== undefined;
    if (!isOpenInTime) await show(submission.pending);
    const caller = await opening;
    if ('refusal' in caller) {
      // Without a client, a modal that is acknowledged can't be changed.
      if (!isOpenInTime) return;
      return ack({ response_action: 'update', view: belayModal(caller.refusal) });
    }
    const { slack } = caller;
    const to = recipientOf(submitted, metadata);
    const send = (message: Message) => notifyPerson(slack, to, message);

    await runReportingFailure(dependencies, caller, send, async () => {
      const verify = async (): Promise<Checked> => {
        if (!metadata) return { done: belayModal(outdatedForm) };
        const authorized = await authorizeCaller(caller, dependencies, submission.needs);
        if ('refusal' in authorized) return { done: belayModal(notice(authorized.refusal)) };
        connection = authorized.connection;
        const errors = foundErrors(checkFields(form.fields, values));
        if (errors) return { errors };
        const entered = readFields(form.fields, values);
        return submission.verify({ ...authorized, metadata, entered, values, viewId: view.id });
      };
      const verifying = verify().catch(async (error: unknown): Promise<Checked> => {
        return { done: belayModal(await reportFailure(dependencies, error, caller)) };
      });

      const early = isOpenInTime ? await Promise.race([verifying, timeout]) : undefined;
      if (early && 'errors' in early) {
        return ack({ response_action: 'errors', errors: foundErrors(early.errors) ?? {} });
      }
      if (early) return show(early.done);

      if (isOpenInTime) await show(submission.pending);
      const late = await verifying;
      const isSeen = await showInModal({ slack, connection }, view.id, lateModal(late));
      if (!isSeen) await send(answerOn(resultMessage(late), connection));
    });
  });
}

function lateModal(result: Checked): ModalView {
  if ('done' in result) return result.done;
  return result.retry ? withErrors(result.retry, result.errors) : belayModal(resultMessage(result));
}

function resultMessage(result: Checked): Message {
  if ('done' in result) {
    return result.ifClosed ?? message(result.done.blocks);
  }
  const errors = Object.values(foundErrors(result.errors) ?? {}).map(escapeMrkdwn);
  return notice(`Belay didn't accept the form. Nothing was changed.\n${errors.join('\n')}`);
}
