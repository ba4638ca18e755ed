import type { Logger } from '../../logger.ts';
import type { Person } from '../api/person.ts';
import type { SlackClient } from '../api/slack-client.ts';
import type { AnswerConnection } from '../ui/answer-connection.ts';
import type { Message } from '../ui/blocks.ts';
import type { Entered, Fields, Form, FormOrigin } from '../ui/form.ts';
import type { ModalView } from '../ui/modal.ts';
import type { ViewValues } from '../ui/view-values.ts';
import type { ConnectionChoice, NamedConnection } from './choose-connection.ts';

/**
 * What an interaction is about. The layers above add what is read for it, each at most once, by merging
 * with this interface (`workspace/call.ts`), because this layer doesn't know them.
 */
export interface CallContext {
  /** Of the command or the clicked answer. Undefined for what concerns the workspace. */
  connection: AnswerConnection | undefined;
  chooseConnection: (named: NamedConnection) => Promise<ConnectionChoice>;
  /** The same call about this connection. */
  about: (connection: AnswerConnection) => CallContext;
}

/** Who interacted, in which workspace, and what is needed to answer. The person is a full member. */
export type Interaction = CallContext & {
  teamId: string;
  person: Person;
  slack: SlackClient;
  log: Logger;
};

/**
 * A right that a handler needs, named where the handler is registered. Undefined if the caller has it, or
 * else what to answer, as mrkdwn.
 */
export type Right = (call: Interaction) => string | undefined | Promise<string | undefined>;

/** Ends an interaction with an answer, from where none can be returned. Nothing has failed. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly answer: Message;
  constructor(answer: Message) {
    super(answer.text);
    this.answer = answer;
  }
}

/** For a person who lacks the right to do this: recorded, unlike other refusals. */
export class MissingRight extends Refusal {
  override name = 'MissingRight';
  /** What the right is for, such as a command; undefined for the listener. */
  readonly used: string | undefined;
  constructor(answer: Message, used?: string) {
    super(answer);
    this.used = used;
  }
}

/** What a person wrote to Belay: a direct message, or a mention in a channel. */
export type MessageInteraction = Interaction & {
  channelId: string;
  /** What follows the mention, or the command and its first word: escaped by Slack, without its links. */
  text: string;
};

/**
 * A slash command, or a line that was typed elsewhere.
 * https://docs.slack.dev/interactivity/implementing-slash-commands
 */
export type CommandInteraction = MessageInteraction & {
  /** Expires after 3 s and opens one modal. Undefined for a message, which can't open any. */
  triggerId: string | undefined;
};

/** A button or select. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export type ActionInteraction<Value> = Interaction & {
  value: Value;
  /** The text of the option that was chosen in a menu; undefined for a button. */
  optionText: string | undefined;
  triggerId: string;
  /** The conversation of the message; undefined in a modal and on the Home tab. */
  channelId: string | undefined;
  /** The message; undefined in a modal and on the Home tab. */
  messageTs: string | undefined;
  /** The modal; undefined in a message and on the Home tab. */
  viewId: string | undefined;
  /** What the inputs of the modal or Home tab hold, not checked yet; in a message, nothing. */
  values: ViewValues;
};

/**
 * The answer to an action: a private message, a replacement of the message with the button, or a modal. It
 * names the connection of the button, or else `connection`; undefined if it names its own or none.
 */
export type ActionResponse = ({ reply: Message } | { replace: Message } | { open: ModalView }) & {
  connection?: AnswerConnection | undefined;
};

/** A submitted form. https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export type SubmissionInteraction<
  Metadata extends FormOrigin,
  Of extends Fields = Record<never, never>,
> = Interaction & {
  metadata: Metadata;
  /** What was entered in the declared fields. */
  entered: Entered<Of>;
  /** For fields whose ids depend on what the form is about. */
  values: ViewValues;
  /** Identifies the submission: Slack sends a retry with the same id. */
  viewId: string;
};

export type SubmissionOf<Submitted extends Form> =
  Submitted extends Form<infer Metadata, infer Of> ? SubmissionInteraction<Metadata, Of> : never;

/** Somebody opened or used the Home tab; nothing about the person has been checked. */
export type HomeOpened = {
  teamId: string;
  slackUserId: string;
  /** The person's direct messages with Belay; undefined if Slack didn't say. */
  directChannelId: string | undefined;
  /** Slack's hash of what the person sees; undefined if Belay has published nothing yet. */
  shownHash: string | undefined;
  /** When it happened, if Slack repeats an event that Belay may have handled. */
  repeatedFrom?: Date | undefined;
};
