import type { App, ViewSubmitAction } from '@slack/bolt';
import type { z } from 'zod';
import { tell } from '../api/post.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { decodeValue } from '../ui/codec.ts';
import { escapeMrkdwn } from '../ui/mrkdwn.ts';
import { parseViewValues, type ViewValues } from '../ui/view-values.ts';
import { admit, guarded } from './authorize-caller.ts';
import type { FormOrigin, SubmissionCall } from './call.ts';
import { type FailureDependencies, reportFailure } from './failure.ts';
import { answerVerified, type VerifiedSubmission } from './verified-submission.ts';

export type Submission<Metadata extends FormOrigin> = {
  metadata: z.ZodType<Metadata>;
  /** Faults that the form alone shows, by block id; they keep it open. No I/O: Slack waits. */
  check?: (values: ViewValues, metadata: Metadata) => Record<string, string> | undefined;
  /** Runs once the form is closed; what it returns is told privately. */
  run: (call: SubmissionCall<Metadata>) => Promise<Message | undefined>;
  /** What the person typed, for the message of a failure, so that nothing is lost. */
  typed?: (values: ViewValues) => string | undefined;
};

/** A form that is acknowledged, and so closed, before any work is done. */
export function listenForSubmission<Metadata extends FormOrigin>(
  app: App,
  dependencies: FailureDependencies,
  callbackId: string,
  submission: Submission<Metadata>,
): void {
  app.view<ViewSubmitAction>(callbackId, async ({ ack, body, view, client, context }) => {
    const values = parseViewValues(view.state.values);
    const metadata = decodeValue(submission.metadata, view.private_metadata);
    const errors = metadata && submission.check?.(values, metadata);
    if (errors) return ack({ response_action: 'errors', errors });
    await ack();
    const caller = {
      teamId: context.teamId ?? '',
      enterpriseId: context.enterpriseId,
      slackUserId: body.user.id,
      slack: client,
      listener: callbackId,
    };
    const to = { slackUserId: body.user.id, channelId: metadata?.channelId };
    const say = (message: Message) => tell(client, to, message);
    const sayFailure = (message: Message) => say(withTyped(message, submission.typed?.(values)));
    await guarded(dependencies, caller, sayFailure, async () => {
      const call = await admit(caller, dependencies);
      if ('refusal' in call) return say(notice(call.refusal));
      if (!metadata) return say(outdated);
      const answer = await submission.run({ ...call, metadata, values, viewId: view.id });
      if (answer) await say(answer);
    });
  });
}

/** A form that stays open until its fields have been judged; see verified-submission.ts. */
export function listenForVerifiedSubmission<Metadata extends FormOrigin>(
  app: App,
  dependencies: FailureDependencies,
  callbackId: string,
  submission: VerifiedSubmission<Metadata>,
): void {
  app.view<ViewSubmitAction>(callbackId, async ({ ack, body, view, client, context }) => {
    const caller = {
      teamId: context.teamId ?? '',
      enterpriseId: context.enterpriseId,
      slackUserId: body.user.id,
      slack: client,
      listener: callbackId,
    };
    const metadata = decodeValue(submission.metadata, view.private_metadata);
    const to = { slackUserId: body.user.id, channelId: metadata?.channelId };
    const say = (message: Message) => tell(client, to, message);
    await guarded(dependencies, caller, say, () =>
      answerVerified(submission, {
        ack,
        view,
        metadata,
        slack: client,
        admit: () => admit(caller, dependencies),
        reportFailure: (error) => reportFailure(dependencies, error, caller),
        say,
      }),
    );
  });
}

const outdated = notice(
  'This form is from an older version of Belay. Nothing was changed. Please open it again.',
);

function withTyped(message: Message, typed: string | undefined): Message {
  return typed ? notice(`${message.text}\n\nWhat you wrote:\n${escapeMrkdwn(typed)}`) : message;
}
