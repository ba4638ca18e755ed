import { actOnElement } from './block-action.ts';
import { findConversationOf } from './conversations.ts';
import { type GestureContext, ok, refused } from './gesture-context.ts';
import { findMessage, postAsPerson, removeMessage } from './messages.ts';
import { escapeTyped } from './mrkdwn.ts';
import type { Gesture, GestureOutcome } from './protocol.ts';
import { runSlashCommand } from './slash-command.ts';
import { markRead } from './snapshot.ts';
import { botOf, changed, type LocalState } from './state.ts';
import { closeView, submitView } from './view-submission.ts';

const send = async (
  context: GestureContext,
  channelId: string,
  text: string,
): Promise<GestureOutcome> => {
  const { state, person } = context;
  const conversation = findConversationOf(state, person, channelId);
  if (!conversation) return refused("This person isn't in the conversation.");
  if (text.trim() === '') return refused('The message is empty.');
  markRead(state, person.slackUserId, channelId);
  if (text.trimStart().startsWith('/')) return runSlashCommand(context, conversation, text.trim());
  postAsPerson(state, channelId, person, mentionApp(state, escapeTyped(text)));
  return ok;
};

/** `@belay`, as the message box turns it into a mention. */
const mentionApp = (state: LocalState, text: string): string =>
  text.replaceAll(/(^|\s)@(\w+)/g, (typed, before: string, name: string) =>
    name.toLowerCase() === state.workspace.app.name.toLowerCase()
      ? `${before}<@${botOf(state).botUserId}>`
      : typed,
  );

const dismiss = (
  { state, person }: GestureContext,
  channelId: string,
  messageTs: string,
): GestureOutcome => {
  const message = findMessage(state, channelId, messageTs);
  if (message?.visibleTo !== person.slackUserId) {
    return refused('Only messages visible to one person can be dismissed.');
  }
  removeMessage(state, message);
  return ok;
};

const read = ({ state, person }: GestureContext, channelId: string): GestureOutcome => {
  markRead(state, person.slackUserId, channelId);
  changed(state);
  return ok;
};

/** Slack shows what it has; the app may publish something newer. */
const openHome = async ({ state, person }: GestureContext): Promise<GestureOutcome> => {
  if (!state.workspace.app.hasHomeTab) return refused('The app has no Home tab.');
  await state.onHomeOpened(person.slackUserId);
  return ok;
};

/** Performs a gesture, or refuses it if Slack would not let the person do it. */
export const performGesture = (
  context: GestureContext,
  gesture: Gesture,
): GestureOutcome | Promise<GestureOutcome> => {
  const { person, state } = context;
  if (person.isDeactivated) return refused(`${person.realName} is deactivated.`);
  switch (gesture.type) {
    case 'send':
      return send(context, gesture.channelId, gesture.text);
    case 'act':
      if (gesture.container.kind === 'message') {
        markRead(state, person.slackUserId, gesture.container.channelId);
      }
      return actOnElement(context, gesture);
    case 'submit':
      return submitView(context, gesture.viewId, gesture.values);
    case 'close':
      return closeView(context, gesture.viewId, gesture.all === true);
    case 'dismiss':
      return dismiss(context, gesture.channelId, gesture.messageTs);
    case 'read':
      return read(context, gesture.channelId);
    case 'open-home':
      return openHome(context);
  }
};
