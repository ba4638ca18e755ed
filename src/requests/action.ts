import type { z } from 'zod';
import type { ApprovableActionName, GuardId, StepName, StopReason } from '../audit-log/registry.ts';
import type { Clock } from '../clock.ts';
import type { ServiceClient } from '../dataprotection/client.ts';
import type { Person } from '../slack/api/person.ts';
import type { OpenService, Service } from '../workspace/open-service.ts';
import type { OpenedFor, OpenSettings } from '../workspace/open-settings.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';

/** A label and a value (mrkdwn) in a request's line of facts about its subject. */
export type Detail = { label: string; value: string };

/** Personal text that the audit log stores with a request, beside its summary; mrkdwn. */
type AuditedText = { subject: string; newName?: string; changes?: string };

/**
 * Whether a person is the subject as of the request; `unknown` if an address is missing, `erased` if what the
 * request stored about its subject was erased. Only `no` lets somebody decide.
 */
export type SubjectMatch = 'no' | 'yes' | 'unknown' | 'erased';

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
export type ActionTarget = Pick<Service, 'connectionId' | 'connectionName'> & {
  /** Passed to whatever reads or changes something. */
  client: unknown;
};

/**
 * What an action can open: the service, or the settings of the workspace; and the time of its readings.
 * Features add what their own actions change by merging with this interface, because this layer doesn't
 * know them.
 */
export interface Openers {
  openService: OpenService;
  openSettings: OpenSettings;
  clock: Clock;
}

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
  /** The service works on what was sent, or may: Belay follows it. */
  | { state: 'in-progress'; words: string }
  /** What was sent has certainly not taken effect, and won't. Only for a step that `sendsOnce`. */
  | { state: 'failed'; words: string }
  /** The service gives no way to tell. */
  | { state: 'unknown'; words: string };

/** The attempt of a step that may have been sent: when, and the task that the service named for it. */
export type SentChange = { at: Date; taskId?: string | undefined };

/** How an attempt of a step ended. A thrown service error has `mayHaveActed`. */
export type RunResult =
  | StepDone
  /**
   * The service accepted the change and makes it in this task, which Belay follows with `isDone` until it
   * ends, however long that takes. Only for a step that `sendsOnce`.
   */
  | { state: 'accepted'; taskId: string; words: string }
  /** Nothing was changed, and the next attempt may succeed: Belay waits and tries again. */
  | { state: 'busy'; words: string }
  /** Nothing was changed, because the subject changed after the decision. */
  | { state: 'changed'; words: string }
  | { state: 'failed'; words: string; stopReason?: StopReason }
  /** The change may still take effect: Belay checks until it knows. */
  | { state: 'unknown'; words: string };

/** How long a step may follow work that the service does in the background, in milliseconds. */
type FollowLimits = { everyMs: number; timeoutMs: number };

/** One change made to the service, or to whatever else the action acts on. */
export type Step<Snapshot, Subject, Client = ServiceClient> = {
  /** Unique within the action, stored with the request. */
  name: StepName;
  /** The delay after the step before, in milliseconds; until then the step can be canceled. */
  afterMs?: number;
  /** What will happen, for a step with a delay: "The account will be deleted". */
  plan?: string;
  /** What is true once the step has succeeded, a sentence. */
  done: string;
  /** The same in the past tense, for when it may no longer be true; for steps that others follow. */
  was?: string;
  /** The snapshot as Belay's own earlier steps have left it: those changes do not void the request. */
  expects?: (snapshot: Snapshot) => Snapshot;
  /**
   * Whether there is nothing left to do. `read` reads the subject at most once per run; `sent` is given if
   * an earlier attempt may have been sent.
   */
  isDone: (
    read: () => Promise<Subject | undefined>,
    sent?: SentChange,
  ) => Promise<boolean | Progress>;
  /**
   * If true, a step that turns out to be done already voids the request unless Belay did it,
   * because canceling could not undo somebody else's change.
   */
  mustBeOurs?: boolean;
  /**
   * Voids the request, with this sentence, if the step is done already while another request about the
   * subject has started that can be canceled, because canceling could reverse what this one is for.
   */
  doneForNow?: string | undefined;
  /** If true, an attempt that may have been sent is never repeated: the change would act twice. */
  sendsOnce?: boolean;
  run: (client: Client, limits: FollowLimits) => Promise<RunResult>;
  /** Not given if nothing can abort the task in which the service makes the change. */
  abort?: {
    /** Why the service would refuse, a sentence, mrkdwn; undefined if it may accept. */
    refusal: (client: Client, taskId: string) => Promise<string | undefined>;
    send: (client: Client, taskId: string) => Promise<void>;
  };
  /** The button that requests the opposite, where there is one. */
  undo?: UndoButton | undefined;
  /** Nothing is left to show once the step has succeeded. */
  removesSubject?: boolean;
  /** Only of the last step. Its `undo` is then offered once the look had news, and not before. */
  followUp?: FollowUp<Client> | undefined;
};

/**
 * Looks once more at what a completed step has left, `afterMs` later. Words, in full sentences, replace those
 * of the outcome, and the requester gets a new message; undefined if there is no news.
 */
type FollowUp<Client> = {
  afterMs: number;
  look: (client: Client) => Promise<string | undefined>;
};

/** A button that opens the form of another request, or shows the subject. */
export type RequestButton = { text: string; actionId: string; value: string };

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

type CancellationTexts = {
  button: string;
  /** What canceling does, a sentence for the confirmation. */
  effect: string;
  /** After the time of the waiting step: "unless …". */
  condition: string;
  tooLate: string;
  /** For a cancellation whose step failed, or has an unknown outcome: what was scheduled is off all the same. */
  failed: string;
  unknown: string;
};

/** `nested`: paths to what is removed inside of other fields. */
export type PersonalFields<Field extends string = string> = {
  removed: Field[];
  replaced: Field[];
  nested?: string[][];
};

/**
 * The stored request that an action is described for. `id` and `subjectId` are unknown before it is stored;
 * `snapshot` is as of the request, and gone before and once it was erased.
 */
export type DescribedRequest<Snapshot> = {
  id?: string | undefined;
  subjectId?: string | undefined;
  snapshot?: Snapshot | undefined;
};

/**
 * An action that needs a second person's approval, as the feature that owns it defines it. `Subject` is one
 * reading of what the action changes, such as a user; `Snapshot` is the part that a decision rests on: if it
 * differs when a step runs, the request is void.
 */
export type ActionDefinition<Payload, Snapshot, Subject, Target extends ActionTarget = Service> = {
  name: ApprovableActionName;
  payload: z.ZodType<Payload>;
  /** Fields of the payload that name people. Erasing removes these, or replaces what is required. */
  personalFields: PersonalFields<keyof Payload & string>;
  snapshot: z.ZodType<Snapshot>;
  limit?: ActionLimit | undefined;
  /** Counts only requests with this field in their payload, and the subject whose id it has. */
  limitedBy?: (keyof Payload & 'replaces') | undefined;
  /** A new request voids the waiting ones for these actions about its subject, itself included. */
  supersedes?: ApprovableActionName[];
  describe: (
    payload: Payload,
    request: DescribedRequest<Snapshot>,
  ) => DescribedAction<Snapshot, Subject, Target>;
  /** One request about several subjects; not given if each needs its own. */
  several?: (payloads: Payload[]) => DescribedSeveral;
};

/** What a request about several subjects shows in place of what is shown about one. */
export type DescribedSeveral = Pick<
  DescribedAction<never, never, never>,
  'summary' | 'changes' | 'warning' | 'requestAgain'
> & {
  /** "3 users". */
  name: (count: number) => string;
  cancellationTexts?: CancellationTexts;
};

/** The action of one request. All texts are mrkdwn. */
export type DescribedAction<Snapshot, Subject, Target extends ActionTarget = Service> = {
  /** The id of the subject: the service's own, if it has one. */
  subjectId: string;
  /** The request after "requests approval to": "disable *Ana Silva* …". */
  summary: string;
  /** The subject, and what else the audit log needs to render the action: exact, without markup. */
  audited: AuditedText;
  /** What people must know before they decide. */
  details?: Detail[];
  /**
   * For an action that changes several values: each with its old and new value, on its own line. A function,
   * because most uses of a request don't need them, and comparing two large policies takes long.
   */
  changes?: () => string[];
  warning?: string | undefined;
  /** What the confirmation of an approval adds to the summary, plain text: a sentence. */
  consequence?: () => string;
  style: 'primary' | 'danger';
  /** In order; all but the first may have a delay. */
  steps: [
    Step<Snapshot, Subject, Target['client']>,
    ...Step<Snapshot, Subject, Target['client']>[],
  ];
  /** How a scheduled step is canceled: by a step that restores what earlier ones changed. */
  cancellation?: { step: Step<Snapshot, Subject, Target['client']>; texts: CancellationTexts };
  /**
   * Whether the texts above show, exactly and in full, what the steps send and who their subject is,
   * with the snapshot taken at the request. Checked before each step.
   */
  isShownExactly: (snapshot: Snapshot) => boolean;
  /** The button that makes the same request again, after it was voided. */
  requestAgain: RequestButton;
  /** The button that shows the subject as it is now. */
  view?: RequestButton | undefined;
  /** The exact text that would be sent, shown by a button of the request. */
  requestBody?: string;
  /** Opens what it acts on. Undefined if the request is not valid there anymore. */
  open: (openers: Openers, request: OpenedFor) => Promise<Target | undefined>;
  /** Undefined when the subject is gone. */
  readSubject: (client: Target['client'], now: Date) => Promise<Subject | undefined>;
  snapshotOf: (subject: Subject) => Snapshot;
  /** Facts about the subject to show in the request; may read more from the service. */
  preview?: (client: Target['client'], subject: Subject) => Promise<Detail[]>;
  /** The differences, one sentence each; never empty for snapshots that differ. */
  differences: (before: Snapshot, after: Snapshot) => string[];
  /** Whether a person is the subject; `unknown` is treated as yes. Not given if it is no person. */
  isSubject?: (snapshot: Snapshot, person: Person) => 'no' | 'yes' | 'unknown';
  /**
   * Why this person may not, or no longer, request it: a sentence, mrkdwn. Checked when it is requested,
   * when it is approved and when it runs. Not given if every operator may: it replaces that check.
   */
  requesterRefusal?: (requester: Person, settings: WorkspaceSettings) => string | undefined;
  /**
   * Why this person may not request this very change, even if they may request such actions or run them
   * without approval: a sentence, mrkdwn. Checked whenever those rights are.
   */
  changeRefusal?: (requester: Person) => string | undefined;
  /**
   * Who decides, if not the approvers that setup names: Slack user ids, where none means the
   * workspace's admins.
   */
  approvers?: (named: string[]) => string[];
  /**
   * How many different people have to approve, none of them the requester; 1 if not given. Stored with
   * the request, so that later settings don't change it.
   */
  requiredApprovals?: (settings: WorkspaceSettings) => number;
  /** The guards, checked at the request and before each step. */
  checks?: (subject: Subject, context: CheckContext<Target>) => Promise<Check[]>;
};

/** The subject as it was read; `snapshot` is in the action's own shape. */
export type FoundSubject = {
  snapshot: unknown;
  preview: () => Promise<Detail[]>;
  checks: (context: Omit<CheckContext, 'service'>) => Promise<Check[]>;
};

/** An action on what it acts on. Reads the subject at most once, however often it is needed. */
export type OpenedAction = {
  /** Undefined when the subject is gone. */
  find: () => Promise<FoundSubject | undefined>;
  progressOf: (step: Pick<ActionStep, 'name'>, sent?: SentChange) => Promise<Progress>;
  run: (step: Pick<ActionStep, 'name'>, limits: FollowLimits) => Promise<RunResult>;
  /** Of a step that can be aborted. */
  abortRefusal: (step: Pick<ActionStep, 'name'>, taskId: string) => Promise<string | undefined>;
  abort: (step: Pick<ActionStep, 'name'>, taskId: string) => Promise<void>;
  /** What the step's `followUp` finds; undefined if it has none. */
  followUp: (step: Pick<ActionStep, 'name'>) => Promise<string | undefined>;
};

/** A step as all actions have it. */
export type ActionStep = Omit<
  Required<Step<never, never, never>>,
  'plan' | 'expects' | 'isDone' | 'run' | 'abort' | 'followUp'
> & {
  plan: string | undefined;
  canAbort: boolean;
  followUpMs: number | undefined;
  /** The snapshot that is expected when this step starts. */
  expects: (snapshot: unknown) => unknown;
};

/** What a definition says in types of its own. */
type OwnTypes =
  | 'steps'
  | 'cancellation'
  | 'isShownExactly'
  | 'open'
  | 'readSubject'
  | 'snapshotOf'
  | 'preview'
  | 'differences'
  | 'isSubject'
  | 'checks';

/** All that the approvals feature knows about the action of a request. */
export type Action = Omit<
  DescribedAction<never, never, never>,
  | OwnTypes
  | 'details'
  | 'changes'
  | 'requesterRefusal'
  | 'changeRefusal'
  | 'approvers'
  | 'requiredApprovals'
> & {
  details: Detail[];
  changes: () => string[];
  /** Names some of the subjects by their number; undefined if there is one. */
  nameSubjects: ((count: number) => string) | undefined;
  steps: [ActionStep, ...ActionStep[]];
  cancellation: { step: ActionStep; texts: CancellationTexts } | undefined;
  isShownExactly: () => boolean;
  /** Undefined if the request is not valid anymore, because its connection was replaced. */
  open: (openers: Openers, request: OpenedFor) => Promise<OpenedAction | undefined>;
  differences: (before: unknown, after: unknown) => string[];
  /** Whether the subject can be a person of the workspace. */
  isAboutPerson: boolean;
  isSubject: (person: Person) => SubjectMatch;
  /** Why this person may not request it: mrkdwn. Includes `changeRefusal`. */
  requesterRefusal: (requester: Person, settings: WorkspaceSettings) => string | undefined;
  /** The part of it that also holds for a run without approval. */
  changeRefusal: (requester: Person) => string | undefined;
  /** Who decides, given the approvers that setup names. None: the workspace's admins. */
  approvers: (named: string[]) => string[];
  /** How many different people have to approve a request that is made with these settings. */
  requiredApprovals: (settings: WorkspaceSettings) => number;
};
