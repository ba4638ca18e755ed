import type { z } from 'zod';
import { notifyPerson } from '../api/post.ts';
import { answerOn } from '../ui/answer-connection.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { decodeValue, readBinding } from '../ui/codec.ts';
import { type ModalView, noticeModal } from '../ui/modal.ts';
import { quote } from '../ui/mrkdwn.ts';
import { parseViewValues, type ViewValues } from '../ui/view-values.ts';
import { authorizeCaller, type Caller, type ListenerDependencies } from './authorize-caller.ts';
import type { FormOrigin, Right, SubmissionInteraction } from './interaction.ts';
import { findRefusal, openClient, originOf } from './open-client.ts';
import { runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';

export type Submission<Metadata extends FormOrigin> = {
  metadata: z.ZodType<Metadata>;
  needs?: Right;
  /** Errors by block id; any of them keeps the form open. No I/O here: Slack is waiting. */
  check?: (values: ViewValues, metadata: Metadata) => Record<string, string> | undefined;
  /** Takes the place of the form, which closes otherwise; `run` then changes it with `finishModal`. */
  pending?: (metadata: Metadata) => ModalView;
  /** Runs once the form is closed; only the person sees what it returns. */
  run: (interaction: SubmissionInteraction<Metadata>) => Promise<Message | undefined>;
  /** What the person typed, for the message about a failure, so that nothing is lost. */
  typed?: (values: ViewValues) => string | undefined;
};

/**
 * A form that is acknowledged, which closes it or shows `pending`, before any work is done.
 * https://docs.slack.dev/surfaces/modals#handling_submissions
 */
export function listenForSubmission<Metadata extends FormOrigin>(
  routes: Routes,
  dependencies: ListenerDependencies,
  callbackId: string,
  submission: Submission<Metadata>,
): void {
  routes.submission(callbackId, async ({ ack, body, view, context }) => {
    const values = parseViewValues(view.state.values);
    const metadata = decodeValue(submission.metadata, view.private_metadata);
    const errors = metadata && submission.check?.(values, metadata);
    if (errors) return ack({ response_action: 'errors', errors });
    const binding = readBinding(view.private_metadata);
    const origin = originOf(context, { team: body.team, boundTeamId: binding?.team });
    const refusal = await findRefusal(origin, dependencies);
    if (refusal)
      return ack({ response_action: 'update', view: noticeModal('Belay', refusal.blocks ?? []) });
    const pending = metadata && submission.pending?.(metadata);
    await ack(pending && { response_action: 'update', view: pending });
    const call = {
      ...origin,
      kind: 'click' as const,
      slackUserId: body.user.id,
      listener: callbackId,
      value: view.private_metadata,
      viewTeamId: binding?.team,
      carried: binding?.connection,
    };
    const opened = await openClient(call, dependencies);
    // The form is closed, and nobody can be notified without a client.
    if ('refusal' in opened) return;
    const { slack } = opened;
    const caller: Caller = { ...call, slack };
    const isElsewhere = binding !== undefined && binding.team !== call.teamId;
    const channelId = isElsewhere ? undefined : metadata?.channelId;
    const to = { slackUserId: body.user.id, channelId };
    const send = (message: Message) => notifyPerson(slack, to, message);
    const sendFailure = (message: Message) =>
      send(withTypedText(message, submission.typed?.(values)));
    await runReportingFailure(dependencies, caller, sendFailure, async () => {
      const authorized = await authorizeCaller(caller, dependencies, submission.needs);
      if ('refusal' in authorized) return sendFailure(notice(authorized.refusal));
      if (!metadata) return send(outdatedForm);
      const answer = await submission.run({ ...authorized, metadata, values, viewId: view.id });
      if (answer) await send(answerOn(answer, authorized.connection));
    });
  });
}

/** For a known id whose metadata has another shape than today's. */
const outdatedForm = notice(
  'This form is from another version of Belay. Nothing was changed. Open the form again.',
);

function withTypedText(message: Message, typed: string | undefined): Message {
  return typed ? notice(`${message.text}\n\nWhat you wrote:\n${quote(typed)}`) : message;
}
