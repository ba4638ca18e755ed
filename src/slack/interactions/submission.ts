import type { Context, ViewSubmitAction } from '@slack/bolt';
import { notifyPerson } from '../api/post.ts';
import type { SlackClient } from '../api/slack-client.ts';
import { answerOn } from '../ui/answer-connection.ts';
import { joinToSections, type Message, message, notice, section } from '../ui/blocks.ts';
import { decodeValue, readBinding } from '../ui/codec.ts';
import {
  checkFields,
  type Entered,
  type Fields,
  type Form,
  type FormErrors,
  type FormOrigin,
  foundErrors,
  readFields,
  readLongText,
} from '../ui/form.ts';
import { limits } from '../ui/limits.ts';
import { belayModal, type ModalView, showInModal } from '../ui/modal.ts';
import { quote } from '../ui/mrkdwn.ts';
import { parseViewValues, type ViewValues } from '../ui/view-values.ts';
import { authorizeCaller, type Caller, type ListenerDependencies } from './authorize-caller.ts';
import type { Right, SubmissionInteraction } from './interaction.ts';
import { findRefusal, openClient, originOf } from './open-client.ts';
import { runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';

export type Submission<Metadata extends FormOrigin, Of extends Fields> = {
  needs?: Right;
  /** Errors beside those of the fields; any keeps the form open. No I/O here: Slack is waiting. */
  check?: (entered: Entered<Of>, metadata: Metadata) => FormErrors;
  /**
   * Takes the place of the form, which closes otherwise; `run` then changes it with `finishModal`. A
   * failure also replaces it, or is sent as a message if the person has closed it.
   */
  pending?: (metadata: Metadata) => ModalView;
  /** Runs once the form is closed; only the person sees what it returns. */
  run: (interaction: SubmissionInteraction<Metadata, Of>) => Promise<Message | undefined>;
};

/**
 * A form that is acknowledged, which closes it or shows `pending`, before any work is done.
 * https://docs.slack.dev/surfaces/modals#handling_submissions
 */
export function listenForSubmission<Metadata extends FormOrigin, Of extends Fields>(
  routes: Routes,
  dependencies: ListenerDependencies,
  form: Form<Metadata, Of>,
  submission: Submission<Metadata, Of>,
): void {
  routes.submission(form.id, async ({ ack, body, view, context }) => {
    const values = parseViewValues(view.state.values);
    const entered = readFields(form.fields, values);
    const metadata = decodeValue(form.metadata, view.private_metadata);
    const errors =
      metadata &&
      foundErrors({
        ...checkFields(form.fields, values),
        ...foundErrors(submission.check?.(entered, metadata)),
      });
    if (errors) return ack({ response_action: 'errors', errors });
    const submitted = readSubmitted(form.id, body, context);
    const refusal = await findRefusal(submitted, dependencies);
    if (refusal) return ack({ response_action: 'update', view: belayModal(refusal) });
    const pending = metadata && submission.pending?.(metadata);
    await ack(pending && { response_action: 'update', view: pending });
    const caller = await openClient(submitted, dependencies);
    // The form is closed, and nobody can be notified without a client.
    if ('refusal' in caller) return;
    const to = recipientOf(submitted, metadata);
    const send = (answer: Message) => notifyPerson(caller.slack, to, answer);
    const sendFailure = async (answer: Message) => {
      const failure = withTypedText(answer, form.fields, values);
      const isShown = pending && (await replacePending(caller.slack, view.id, failure));
      if (!isShown) await send(failure);
    };
    await runReportingFailure(dependencies, caller, sendFailure, async () => {
      const authorized = await authorizeCaller(caller, dependencies, submission.needs);
      if ('refusal' in authorized) return sendFailure(notice(authorized.refusal));
      if (!metadata) return sendFailure(outdatedForm);
      const submittedForm = { metadata, entered, values, viewId: view.id };
      const answer = await submission.run({ ...authorized, ...submittedForm });
      if (answer) await send(answerOn(answer, authorized.connection));
    });
  });
}

/** Who submitted a form, and in which workspace, as the payload says. */
export function readSubmitted(
  listener: string,
  { team, user, view: { private_metadata: value } }: ViewSubmitAction,
  context: Context,
): Omit<Caller, 'slack'> {
  const binding = readBinding(value);
  return {
    ...originOf(context, { team, boundTeamId: binding?.team }),
    kind: 'click',
    slackUserId: user.id,
    listener,
    value,
    viewTeamId: binding?.team,
    carried: binding?.connection,
  };
}

/** Where to answer once the form is closed: not in a channel of another workspace. */
export function recipientOf(
  { teamId, viewTeamId, slackUserId }: Pick<Caller, 'teamId' | 'viewTeamId' | 'slackUserId'>,
  metadata: FormOrigin | undefined,
): { slackUserId: string; channelId: string | undefined } {
  const isElsewhere = viewTeamId !== undefined && viewTeamId !== teamId;
  return { slackUserId, channelId: isElsewhere ? undefined : metadata?.channelId };
}

/** For a known id whose metadata has another shape than today's. */
export const outdatedForm = notice(
  'This form is from another version of Belay. Nothing was changed. Open the form again.',
);

/** Otherwise the form would keep showing `pending`. False if the person has closed it, or Slack fails. */
async function replacePending(
  slack: SlackClient,
  viewId: string,
  failure: Message,
): Promise<boolean> {
  const opener = { slack, connection: undefined };
  return showInModal(opener, viewId, belayModal(failure)).catch(() => false);
}

/** A section shows only whole lines, so a long one is broken where a list or a sentence can be. */
const longLine = /[^\n]{400,600}[ ,;]/g;

/** A failure with all sentences that were entered, so that nobody has to write them again. */
export function withTypedText(failure: Message, fields: Fields, values: ViewValues): Message {
  const typed = readLongText(fields, values);
  if (typed === '') return failure;
  const lines = quote(typed.replaceAll(longLine, '$&\n'), limits.textOfBlocks).split('\n');
  const texts = joinToSections([`${failure.text}\n`, 'What you wrote:', ...lines]);
  return message(texts.map((text) => section(text)));
}
