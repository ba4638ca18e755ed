import { setTimeout as sleep } from 'node:timers/promises';
import type { ViewSubmitAction } from '@slack/bolt';
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
import { escapeMrkdwn, stripMarkup } from '../ui/mrkdwn.ts';
import { parseViewValues } from '../ui/view-values.ts';
import { authorizeCaller, type ListenerDependencies } from './authorize-caller.ts';
import type { Right, SubmissionInteraction } from './interaction.ts';
import { openClient } from './open-client.ts';
import { reportFailure, runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';
import { outdatedForm, readSubmitted, recipientOf, withTypedText } from './submission.ts';

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

type Checked =
  | VerificationResult
  /** A field refuses what Slack's own form doesn't let people enter. */
  | { errors: FormErrors; retry?: undefined }
  /** Verification failed or was refused. The form stays open if there is time and a field to mark. */
  | { failure: Message };

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
    const keepTyped = (failure: Message) => withTypedText(failure, form.fields, values);
    const timeout = sleep(maxWaitMs, undefined, { ref: false });
    const opening = openClient(submitted, dependencies);
    const isOpenInTime = (await Promise.race([opening, timeout])) !== undefined;
    if (!isOpenInTime) await show(submission.pending);
    const caller = await opening;
    if ('refusal' in caller) {
      // Without a client, a modal that is acknowledged can't be changed.
      if (!isOpenInTime) return;
      return ack({ response_action: 'update', view: belayModal(keepTyped(caller.refusal)) });
    }
    const { slack } = caller;
    const to = recipientOf(submitted, metadata);
    const send = (message: Message) => notifyPerson(slack, to, message);

    await runReportingFailure(dependencies, caller, send, async () => {
      const verify = async (): Promise<Checked> => {
        if (!metadata) return { done: belayModal(keepTyped(outdatedForm)) };
        const authorized = await authorizeCaller(caller, dependencies, submission.needs);
        if ('refusal' in authorized) return { failure: notice(authorized.refusal) };
        connection = authorized.connection;
        const errors = foundErrors(checkFields(form.fields, values));
        if (errors) return { errors };
        const entered = readFields(form.fields, values);
        return submission.verify({ ...authorized, metadata, entered, values, viewId: view.id });
      };
      const verifying = verify().catch(async (error: unknown): Promise<Checked> => {
        return { failure: await reportFailure(dependencies, error, caller) };
      });

      const early = isOpenInTime ? await Promise.race([verifying, timeout]) : undefined;
      const errors = early && errorsOf(early, view);
      if (errors) return ack({ response_action: 'errors', errors });
      if (early) return show(resultModal(early, keepTyped));

      if (isOpenInTime) await show(submission.pending);
      const late = await verifying;
      const result = resultModal(late, keepTyped);
      const isSeen = await showInModal({ slack, connection }, view.id, result);
      if (!isSeen) await send(answerOn(resultMessage(late, keepTyped), connection));
    });
  });
}

/** What keeps the form open: a failure is shown at its first field. */
function errorsOf(
  result: Checked,
  { blocks }: ViewSubmitAction['view'],
): Record<string, string> | undefined {
  if ('errors' in result) return foundErrors(result.errors) ?? {};
  if (!('failure' in result)) return undefined;
  const field = blocks.find(({ type }) => type === 'input')?.block_id;
  return field === undefined ? undefined : { [field]: stripMarkup(result.failure.text) };
}

type KeepTyped = (failure: Message) => Message;

function resultModal(result: Checked, keepTyped: KeepTyped): ModalView {
  if ('done' in result) return result.done;
  if ('errors' in result && result.retry) return withErrors(result.retry, result.errors);
  return belayModal(resultMessage(result, keepTyped));
}

function resultMessage(result: Checked, keepTyped: KeepTyped): Message {
  if ('done' in result) return result.ifClosed ?? message(result.done.blocks);
  if ('failure' in result) return keepTyped(result.failure);
  const errors = Object.values(foundErrors(result.errors) ?? {}).map(escapeMrkdwn);
  const text = `Belay didn't accept the form. Nothing was changed.\n${errors.join('\n')}`;
  return keepTyped(notice(text));
}
