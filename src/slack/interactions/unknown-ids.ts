import type { App, BlockAction, Context, RespondFn } from '@slack/bolt';
import { notifyPerson } from '../api/post.ts';
import { respondPrivately } from '../api/respond.ts';
import type { SlackClient } from '../api/slack-client.ts';
import { type Message, notice } from '../ui/blocks.ts';
import { readBinding } from '../ui/codec.ts';
import { belayModal, showInModal } from '../ui/modal.ts';
import { code } from '../ui/mrkdwn.ts';
import { outdatedButton } from './action.ts';
import { authorizeCaller, type Caller, type ListenerDependencies } from './authorize-caller.ts';
import { openClient, originOf } from './open-client.ts';
import { runReportingFailure } from './report-failure.ts';
import type { Handlers } from './routes.ts';
import { createViewAnswer, readClickTeam } from './view-answer.ts';

const oldForm = notice(
  'This form is from another version of Belay. Nothing was changed. Run the command again.',
);

/** The parts of an interaction that an answer needs, whatever its type. */
type Interaction = Pick<Partial<Caller>, 'kind'> & {
  id: string;
  body: { user: { id: string }; team?: { id: string } | null; response_url?: string };
  /** The workspace that its form or message was made for. */
  boundTeamId?: string | undefined;
  context: Context;
};

/** Without a client (Belay isn't installed in the workspace), it can answer only through response_url. */
type Send = (message: Message, slack: SlackClient | undefined) => Promise<unknown>;

/**
 * Returns what acknowledges and answers interactions whose id or command has no listener, and listens for
 * those that Belay has no listeners for at all: messages and modals outlive the version that posted them,
 * and Slack shows an error when nobody acknowledges within 3 s.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
export function listenForUnknownIds(app: App, dependencies: ListenerDependencies): Handlers {
  /** Sends `message` to full members, and the reason for the refusal to everybody else. */
  async function answer(
    { kind = 'click', id: listener, body, boundTeamId, context }: Interaction,
    message: Message,
    send: Send,
  ): Promise<void> {
    const { id: slackUserId } = body.user;
    const place = kind === 'click' ? { team: body.team, boundTeamId } : undefined;
    const call = { ...originOf(context, place), kind, slackUserId, listener };
    const { teamId } = call;
    dependencies.log.warn({ teamId, slackUserId, listener }, 'an interaction has an unknown id');
    const caller = await openClient(call, dependencies);
    if ('refusal' in caller) return void (await send(caller.refusal, undefined));
    const traced = { ...caller, spanName: 'unknown id' };
    const answerWith = (shown: Message) => send(shown, caller.slack);
    await runReportingFailure(dependencies, traced, answerWith, async () => {
      const authorized = await authorizeCaller(caller, dependencies);
      await answerWith('refusal' in authorized ? notice(authorized.refusal) : message);
    });
  }

  const handlers: Handlers = {
    // The app's configuration in Slack may name the command differently.
    async command({ ack, command, respond, ...interaction }) {
      const { command: id, user_id: slackUserId } = command;
      await ack();
      const body = { user: { id: slackUserId } };
      await answer({ ...interaction, kind: 'command', id, body }, unknownCommand(id), (shown) =>
        respondPrivately(respond, shown),
      );
    },

    async action({ ack, action, respond, ...interaction }) {
      const id = action.action_id;
      await ack();
      const { body } = interaction;
      if (needsNoAnswer(body)) return;
      const boundTeamId = readClickTeam(body, action);
      await answer({ id, boundTeamId, ...interaction }, outdatedButton, async (shown, slack) => {
        if (!body.view) return reply({ respond, body, slack }, shown);
        if (slack) await createViewAnswer(slack, body)?.(shown);
      });
    },

    async submission({ ack, view, ...interaction }) {
      const id = view.callback_id;
      await ack({ response_action: 'update', view: belayModal(oldForm) });
      const boundTeamId = readBinding(view.private_metadata)?.team;
      await answer({ id, boundTeamId, ...interaction }, oldForm, async (shown, slack) => {
        if (slack && shown !== oldForm)
          await showInModal({ slack, connection: undefined }, view.id, belayModal(shown));
      });
    },
  };

  // A closed modal can't show an answer, and a menu can show only options.
  app.view({ type: 'view_closed' }, async ({ ack }) => ack());
  app.options({}, async ({ ack }) => ack({ options: [] }));

  app.shortcut({}, async ({ ack, respond, ...interaction }) => {
    await ack();
    const id = interaction.body.callback_id;
    const { body } = interaction;
    await answer({ id, ...interaction }, outdatedButton, (shown, slack) =>
      reply({ respond, body, slack }, shown),
    );
  });

  // Buttons and dialogs from before Block Kit, which Belay has never posted.
  app.action({ type: 'interactive_message' }, async ({ ack, respond, ...interaction }) => {
    await ack();
    const id = interaction.body.callback_id;
    await answer({ id, ...interaction }, outdatedButton, (shown) =>
      respondPrivately(respond, shown),
    );
  });
  app.action({ type: 'dialog_submission' }, async ({ ack, respond, ...interaction }) => {
    await ack();
    const id = interaction.body.callback_id;
    await answer({ id, ...interaction }, oldForm, (shown) => respondPrivately(respond, shown));
  });
  return handlers;
}

function unknownCommand(name: string): Message {
  return notice(`Unknown command ${code(name, 60)}. Run \`/belay help\` to see what Belay can do.`);
}

/** The client opens links itself, and the fields of a modal arrive with its submission. */
function needsNoAnswer({ actions, view }: BlockAction): boolean {
  return actions.every((action) =>
    action.type === 'button' ? action.url !== undefined : view !== undefined,
  );
}

/** Global shortcuts come without a response_url. */
async function reply(
  {
    body,
    slack,
    respond,
  }: Pick<Interaction, 'body'> & { slack: SlackClient | undefined; respond: RespondFn },
  message: Message,
): Promise<void> {
  if (body.response_url) await respondPrivately(respond, message);
  else if (slack) await notifyPerson(slack, { slackUserId: body.user.id }, message);
}
