import type { Logger } from '../../logger.ts';
import type { Person } from '../api/person.ts';
import type { SlackClient } from '../api/slack-client.ts';
import type { Message } from '../ui/blocks.ts';
import type { ViewValues } from '../ui/view-values.ts';

/** Who acted, where it came from, and what is needed to answer. The person is a full member. */
export type Call = {
  teamId: string;
  enterpriseId: string | undefined;
  person: Person;
  slack: SlackClient;
  log: Logger;
};

export type CommandCall = Call & {
  channelId: string;
  /** Lives 3 s and opens one modal. */
  triggerId: string;
  /** What follows the command and its first word, as Slack sends it (escaped), but without links. */
  text: string;
};

export type ActionCall<Value> = Call & {
  value: Value;
  triggerId: string;
  /** The conversation of the message that was acted on; undefined inside a modal. */
  channelId: string | undefined;
  /** The message that was acted on; undefined inside a modal. */
  messageTs: string | undefined;
  /** The modal that was acted on; undefined in a message. */
  viewId: string | undefined;
};

/** How to answer a button: a private line, or a new face for the message that holds the button. */
export type Answer = { reply: Message } | { replace: Message };

export type SubmissionCall<Metadata> = Call & {
  metadata: Metadata;
  values: ViewValues;
  /** Identifies the submission: the same id twice is the same wish. */
  viewId: string;
};

/** Where an answer to a form goes once the form is closed. */
export type FormOrigin = { channelId?: string | undefined };
