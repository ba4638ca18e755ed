import type { z } from 'zod';
import type {
  ApprovableActionName,
  GuardId,
  StepName,
  StopReason,
} from '../../audit-log/registry.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Person } from '../../slack/api/person.ts';
import type { OpenService, OpenSettings, Service, WorkspaceSettings } from '../workspaces/index.ts';

/** A label and a value (mrkdwn) in a request's line of facts about its subject. */
export type Detail = { label: string; value: string };

/** Personal text that the audit log stores with a request, beside its summary; mrkdwn. */
export type AuditedText = { subject: string; newName?: string; changes?: string };

/** The result of a guard. */
export type Check = {
  /** Stored with the request, and in the audit log when the guard refuses. */
  label: GuardId;
  result: 'passed' | 'refused' | 'not_checkable';
  /** For approvers: "another administrator remains", "token owner". */
  words?: string | undefined;
  /** The reason, mrkdwn: a full sentence for a refusal, else a phrase shown in brackets. */
  detail?: string | undefined;
};

/** What an action acts on, such as the service, and the connection that its requests are made on. */
export type ActionTarget = Pick<
  Service,
  'connectionId' | 'connectionName' | 'organizationalUnitId'
> & {
  /** Passed to whatever reads or changes something. */
  client: unknown;
};

/** What an action can open: the service, or the settings of the workspace. */
export type Openers = { openService: OpenService; openSettings: OpenSettings };

/** The stored request that an action is opened for. */
export type OpenedFor = {
  teamId: string;
  id: string;
  /** The connection that it was made on. */
  connectionId: string;
  /** Slack user ids. */
  requester: string;
  decidedBy: string | undefined;
};

/** What the guards of an action may need besides its subject. */
export type CheckContext<Target = Service> = {
  service: Target;
  /** As they were read for this decision. */
  settings: Pick<WorkspaceSettings, 'access'>;
  /** Subjects of other requests on this connection that are running or waiting for their next step. */
  subjectsUnderWay: string[];
};

/** The result of a step, in addition to its sentence `done`; `words` are mrkdwn, in full sentences. */
export type StepDone = {
  state: 'done';
  words?: string | undefined;
  /** The id of what the step created: from then on the subject of the request. */
  createdId?: string | undefined;
};

/** The state of a step, as read from the service. */
export type Progress =
  | StepDone
  | { state: 'not-done' }
  /** A change to the subject is in progress, this one or another: nothing may be sent now. */
  | { state: 'busy'; words: string }
  /** The service gives no way to tell. */
  | { state: 'unknown'; words: string };

/** How an attempt of a step ended. A thrown service error has `mayHaveActed`. */
export type RunResult =
  | StepDone
  /** Nothing was changed, and the next attempt may succeed: Belay waits and tries again. */
  | { state: 'busy'; words: string }
  /** Nothing was changed, because the subject changed after the decision. */
  | { state: 'changed'; words: string }
  | { state: 'failed'; words: string; stopReason?: StopReason }
  /** The change may still take effect: Belay checks until it knows. */
  | { state: 'unknown'; words: string };

/** How long a step may follow work that the service does in the background, in milliseconds. */
export type FollowLimits = { everyMs: number; timeoutMs: number };

/** One change made to the service, or to whatever else the action acts on. */
export type Step<Payload, Snapshot, Subject, Client = ServiceClient> = {
  /** Unique within the action, stored with the request. */
  name: StepName;
  /** The delay after the step before, in milliseconds; until then the step can be canceled. */
  afterMs?: ((payload: Payload) => number) | undefined;
  /** What will happen, for a step with a delay: "The account will be deleted". */
  plan?: ((payload: Payload) => string) | undefined;
  /** What is true once the step has succeeded, a sentence. */
  done: (payload: Payload) => string;
  /** The same in the past tense, for when it may no longer be true; for steps that others follow. */
  was?: ((payload: Payload) => string) | undefined;
  /** The snapshot as Belay's own earlier steps have left it: those changes do not void the request. */
  expects?: ((snapshot: Snapshot) => Snapshot) | undefined;
  /** Whether there is nothing left to do. `read` reads the subject at most once per run. */
  isDone: (
    read: () => Promise<Subject | undefined>,
    payload: Payload,
  ) => Promise<boolean | Progress>;
  /**
   * If true, a step that turns out to be done already voids the request unless Belay did it,
   * because canceling could not undo somebody else's change.
   */
  mustBeOurs?: boolean | undefined;
  /** If true, an attempt that may have been sent is never repeated: the change would act twice. */
  sendsOnce?: boolean | undefined;
  run: (client: Client, payload: Payload, limits: FollowLimits) => Promise<RunResult>;
  /** The button that requests the opposite, where there is one. */
  undo?: ((payload: Payload, request: RequestFacts) => UndoButton | undefined) | undefined;
  /** Nothing is left to show once the step has succeeded. */
  removesSubject?: boolean | undefined;
};

/** A button that opens the form of another request, or shows the subject. */
export type RequestButton = { text: string; actionId: string; value: string };

/** The stored request that a button belongs to; unknown before it is stored. */
export type RequestFacts = { id?: string | undefined; subjectId?: string | undefined };

/**
 * `action`: what the form requests. `undoes` if it undoes this request and no other about its subject;
 * then the payload of the request that undoes it has the id of this one in a field of that name.
 */
export type UndoButton = RequestButton & { action: ApprovableActionName; undoes?: string };

/** Limits how many subjects are approved within an hour; shared by actions with the same object. */
export type ActionLimit = {
  maxPerHour: (settings: WorkspaceSettings) => number;
  /** The start of the refusal: "Belay … at most 3 … per hour in this workspace". */
  describe: (max: number) => string;
};

/** How a scheduled step is canceled. */
type Cancellation<Payload, Snapshot, Subject, Client = ServiceClient> = {
  /** Restores what earlier steps changed. `snapshot` is as of the request. */
  step: (
    payload: Payload,
    snapshot: Snapshot | undefined,
  ) => Step<Payload, Snapshot, Subject, Client>;
  texts: CancellationTexts;
};

export type CancellationTexts = {
  button: string;
  /** What canceling does, a sentence for the confirmation. */
  effect: string;
  /** After the time of the waiting step: "unless …". */
  condition: string;
  tooLate: string;
  /** A sentence, for a cancellation that failed. */
  failed: string;
};

/** `nested`: paths to what is removed inside of other fields. */
export type PersonalFields<Field extends string = string> = {
  removed: Field[];
  replaced: Field[];
  nested?: string[][];
};

/**
 * An action that needs a second person's approval, as the feature that owns it describes it. All
 * texts are mrkdwn. `Subject` is one reading of what the action changes, such as a user; `Snapshot`
 * is the part that a decision rests on: if it differs when a step runs, the request is void.
 */
export type ApprovableAction<Payload, Snapshot, Subject, Target extends ActionTarget = Service> = {
  name: ApprovableActionName;
  /** Opens what it acts on. Undefined if the request is not valid there anymore. */
  open: (openers: Openers, request: OpenedFor) => Promise<Target | undefined>;
  payload: z.ZodType<Payload>;
  /** Fields of the payload that name people. Erasing removes these, or replaces what is required. */
  personalFields: PersonalFields<keyof Payload & string>;
  snapshot: z.ZodType<Snapshot>;
  /** The id of the subject: the service's own, if it has one. */
  subjectId: (payload: Payload) => string;
  limit?: ActionLimit | undefined;
  /** The request after "requests approval to": "disable *Ana Silva* …". */
  summary: (payload: Payload) => string;
  /** The subject, and what else the audit log needs to render the action: exact, without markup. */
  audited: (payload: Payload) => AuditedText;
  /** What people must know before they decide. */
  details: (payload: Payload) => Detail[];
  /** For an action that changes several values: each with its old and new value, on its own line. */
  changes?: ((payload: Payload) => string[]) | undefined;
  /** `snapshot` is as of the request. */
  warning?: ((payload: Payload, snapshot: Snapshot | undefined) => string | undefined) | undefined;
  /** What the confirmation of an approval adds to the summary, plain text: a sentence. */
  consequence?: ((payload: Payload) => string) | undefined;
  style: 'primary' | 'danger';
  /** In order; all but the first may have a delay. */
  steps: (payload: Payload) => Steps<Payload, Snapshot, Subject, Target['client']>;
  cancellation?: Cancellation<Payload, Snapshot, Subject, Target['client']> | undefined;
  /**
   * Whether the texts above show, exactly and in full, what the steps send and who their subject is,
   * with the snapshot taken at the request. Checked before each step.
   */
  isShownExactly: (payload: Payload, snapshot: Snapshot) => boolean;
  /** The button that makes the same request again, after it was voided. */
  requestAgain: (payload: Payload) => RequestButton;
  /** The button that shows the subject as it is now. */
  view?: ((payload: Payload, request: RequestFacts) => RequestButton | undefined) | undefined;
  /** The exact text that would be sent, shown by a button of the request. */
  requestBody?: ((payload: Payload) => string) | undefined;
  /** A new request voids the waiting ones for these actions about its subject, itself included. */
  supersedes?: ApprovableActionName[] | undefined;
  /** Undefined when the subject is gone. */
  readSubject: (client: Target['client'], payload: Payload) => Promise<Subject | undefined>;
  snapshotOf: (subject: Subject) => Snapshot;
  /** Facts about the subject to show in the request; may read more from the service. */
  preview: (client: Target['client'], subject: Subject) => Promise<Detail[]>;
  /** The differences, one sentence each; never empty for snapshots that differ. */
  differences: (before: Snapshot, after: Snapshot) => string[];
  /** Whether a person is the subject; `unknown` is treated as yes. Not given if it is no person. */
  isSubject?: ((snapshot: Snapshot, person: Person) => 'no' | 'yes' | 'unknown') | undefined;
  /**
   * Why this person may not, or no longer, request it: a sentence, mrkdwn. Checked when it is requested,
   * when it is approved and when it runs. Not given if every operator may.
   */
  requesterRefusal?: ((requester: Person) => string | undefined) | undefined;
  /**
   * Who decides, if not the approvers that setup names: Slack user ids, where none means the
   * workspace's admins.
   */
  approvers?: ((payload: Payload, named: string[]) => string[]) | undefined;
  /**
   * How many different people have to approve, none of them the requester; 1 if not given. Stored with
   * the request, so that later settings don't change it.
   */
  requiredApprovals?: ((payload: Payload, settings: WorkspaceSettings) => number) | undefined;
  /** The guards, checked at the request and before each step. */
  checks: (subject: Subject, context: CheckContext<Target>) => Promise<Check[]>;
};

type Steps<Payload, Snapshot, Subject, Client> = [
  Step<Payload, Snapshot, Subject, Client>,
  ...Step<Payload, Snapshot, Subject, Client>[],
];
