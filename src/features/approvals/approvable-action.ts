import type { z } from 'zod';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Person } from '../../slack/api/person.ts';

/** A line of a request: what is known of its subject. `value` is mrkdwn. */
export type Detail = { label: string; value: string };

/** What must hold before an action is carried out, and whether Belay could see that it does. */
export type Check = {
  /** Its short name, which the log keeps for good when it refuses: "not the last administrator". */
  label: string;
  result: 'passed' | 'refused' | 'not_checkable';
  /** For who decides: "this is not …" of one that passed, "whether this is …" of one not checkable. */
  words?: string | undefined;
  /** Why not: mrkdwn. A full sentence for whoever is refused, else what stands in brackets. */
  detail?: string | undefined;
};

/** What stands around the subject while its checks are made. */
export type CheckContext = {
  client: ServiceClient;
  /** Whose token Belay uses: an e-mail address or id of the service's user, as setup was told. */
  tokenOwner: string | undefined;
  /** Subjects of other requests that are being carried out, or may have been, on this connection. */
  subjectsUnderWay: string[];
};

/** One thing done to the service. */
export type Step<Payload, Snapshot> = {
  /** Unique within the action, stored with the request. */
  name: string;
  /** How long after the step before; until then people can keep it from happening. */
  afterMs?: ((payload: Payload) => number) | undefined;
  /** What will happen, for a step that waits: "They will be deleted". */
  plan?: ((payload: Payload) => string) | undefined;
  /** What is true once it has succeeded, a sentence. */
  done: (payload: Payload) => string;
  /** The same as the past, for when it may not be so any more; for steps that others follow. */
  was?: ((payload: Payload) => string) | undefined;
  /** The snapshot as Belay's own earlier steps have left it: these never count as drift. */
  expects?: ((snapshot: Snapshot) => Snapshot) | undefined;
  /** Reads the service: true when there is nothing left to do. */
  isDone: (client: ServiceClient, payload: Payload) => Promise<boolean>;
  /**
   * Done by somebody else it is no success: what was taken may then not be given back, and what is
   * out of sight may be elsewhere. It is void, unless the subject is as the request showed it.
   */
  mustBeOurs?: boolean | undefined;
  execute: (client: ServiceClient, payload: Payload) => Promise<void>;
  /** The button that asks for the opposite, where there is one. */
  undo?: ((payload: Payload) => AskButton) | undefined;
};

/** The button that opens another request of the same kind or of the opposite. */
export type AskButton = { text: string; actionId: string; value: string };

/**
 * What an approval guards, as the feature that owns it describes it. All texts are mrkdwn.
 * `Snapshot` is what a decision rests on: if it has changed when a step begins, the approval is void.
 */
export type ApprovableAction<Payload, Snapshot> = {
  /** `<feature>.<verb>`, stored with the request. */
  name: string;
  payload: z.ZodType<Payload>;
  snapshot: z.ZodType<Snapshot>;
  /** The service's id of whom it is about. */
  subjectId: (payload: Payload) => string;
  /** Whether it counts towards how many users may be changed within an hour. */
  isCapped: boolean;
  /** What is asked for, after "asks to": "disable *Ana Silva* …". */
  summary: (payload: Payload) => string;
  /** What people must know before they decide: whom it is about, and that it cannot be undone. */
  details: (payload: Payload) => Detail[];
  warning?: ((payload: Payload) => string | undefined) | undefined;
  style: 'primary' | 'danger';
  /** In order; all but the first wait for their time. */
  steps: (payload: Payload) => [Step<Payload, Snapshot>, ...Step<Payload, Snapshot>[]];
  /** What *Keep* does between two steps. `snapshot` is as the request saw it. */
  keep?:
    | ((payload: Payload, snapshot: Snapshot | undefined) => Step<Payload, Snapshot>)
    | undefined;
  /** The button that asks for the same again, after it was voided. */
  askAgain: (payload: Payload) => AskButton;
  /** Reads what the decision rests on and what to show of it; undefined when it is gone. */
  look: (
    client: ServiceClient,
    payload: Payload,
  ) => Promise<{ snapshot: Snapshot; preview: Detail[] } | undefined>;
  /** What has changed, one sentence each; never empty for two bases that differ. */
  differences: (before: Snapshot, after: Snapshot) => string[];
  /** Whether a person is the subject; `unknown` when it cannot be told and must be refused. */
  isSubject: (snapshot: Snapshot, person: Person) => 'no' | 'yes' | 'unknown';
  /** The guards that need the service. */
  checks: (payload: Payload, snapshot: Snapshot, context: CheckContext) => Promise<Check[]>;
};
