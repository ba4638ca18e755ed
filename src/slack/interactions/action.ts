import type { z } from 'zod';
import { createTurns } from '../../turns.ts';
import {
  replaceOriginal,
  respondOnce,
  respondPrivately,
  withProgressNotice,
} from '../api/respond.ts';
import { answerOn, readBlockConnection } from '../ui/answer-connection.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { bindMessage } from '../ui/bound-message.ts';
import { decodeValue, readBinding } from '../ui/codec.ts';
import { openModal } from '../ui/modal.ts';
import { readClick } from '../ui/more-menu.ts';
import { parseViewValues } from '../ui/view-values.ts';
import { authorizeCaller, type ListenerDependencies } from './authorize-caller.ts';
import type { ActionInteraction, ActionResponse, Right } from './interaction.ts';
import { openClient, originOf } from './open-client.ts';
import { runReportingFailure } from './report-failure.ts';
import type { Routes } from './routes.ts';
import { createViewAnswer, readClickTeam } from './view-answer.ts';

export type ActionOptions = {
  needs?: Right | undefined;
  /** Sends a progress notice after a second; for buttons that show nothing else meanwhile. */
  isAnnounced?: boolean;
  /**
   * Limits how many clicks with the same value run at once: after the first one has decided, the
   * rest end quickly.
   */
  isContested?: boolean;
};

const maxContested = 16;

/**
 * A button or select in a message, a modal or on the Home tab: acknowledges, authorizes, parses its value with
 * `schema`, runs. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload
 */
export function listenForAction<Value>(
  routes: Routes,
  { onHomeUsed, ...dependencies }: ListenerDependencies,
  actionId: string,
  schema: z.ZodType<Value>,
  run: (interaction: ActionInteraction<Value>) => Promise<ActionResponse | undefined>,
  { needs, isAnnounced = false, isContested = false }: ActionOptions = {},
): void {
  const takeTurn = isContested ? createTurns(maxContested) : undefined;
  routes.action(actionId, async ({ ack, body, action, context, respond }) => {
    await ack();
    const binding = readBinding(body.view?.private_metadata);
    const isOnHome = body.view?.type === 'home';
    const { value: clicked, optionText } = readClick(action);
    const call = {
      ...originOf(context, { team: body.team, boundTeamId: readClickTeam(body, action) }),
      kind: 'click' as const,
      slackUserId: body.user.id,
      listener: actionId,
      value: clicked,
      viewTeamId: binding?.team,
      carried: binding?.connection ?? readBlockConnection(action.block_id),
    };
    const viewId = isOnHome ? undefined : body.view?.id;
    const caller = await openClient(call, dependencies);
    if ('refusal' in caller) {
      // A modal or Home can't be changed without a client.
      return body.view ? undefined : respondPrivately(respond, caller.refusal);
    }
    const { slack } = caller;
    const { trigger_id: triggerId, channel } = body;
    const answerInView = createViewAnswer(slack, body);
    const show = (answer: typeof respondPrivately) => (message: Message) =>
      answerInView ? answerInView(message) : answer(respond, bindMessage(message, slack));
    const send = show(respondPrivately);
    const handle = async () => {
      const authorized = await authorizeCaller(caller, dependencies, needs);
      if ('refusal' in authorized) return send(notice(authorized.refusal));
      const value = decodeValue(schema, caller.value);
      if (value === undefined) return send(outdatedButton);
      const where = { channelId: channel?.id, messageTs: body.message?.ts, viewId };
      const values = parseViewValues(body.view?.state.values ?? {});
      const work = () => run({ ...authorized, value, optionText, triggerId, ...where, values });
      const response = await (isAnnounced ? withProgressNotice(show(respondOnce), work) : work());
      if (!response) return;
      const { connection } = { connection: authorized.connection, ...response };
      if ('open' in response) {
        await openModal({ slack, connection, triggerId }, response.open);
        return;
      }
      const answer = answerOn('reply' in response ? response.reply : response.replace, connection);
      // A modal and Home show no message that could be replaced.
      if ('reply' in response || answerInView) return send(answer);
      await replaceOriginal(respond, bindMessage(answer, slack));
    };
    const runInTurn = () =>
      takeTurn ? takeTurn(`${caller.teamId} ${caller.value}`, handle) : handle();
    await runReportingFailure(dependencies, caller, send, runInTurn);
    if (isOnHome) {
      const { teamId, slackUserId } = caller;
      const shownHash = body.view?.hash;
      await onHomeUsed?.({ teamId, slackUserId, directChannelId: undefined, shownHash });
    }
  });
}

/** For a known id whose value has another shape than today's. */
export const outdatedButton = notice(
  'This button is from another version of Belay. Nothing was changed. Run the command again.',
);
