import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Person } from '../../slack/api/person.ts';
import type { WorkspaceSettings } from '../workspaces/index.ts';
import type {
  AuditedText,
  CancellationTexts,
  Check,
  CheckContext,
  Detail,
  FollowLimits,
  OpenedFor,
  Openers,
  Progress,
  RequestButton,
  RunResult,
  UndoButton,
} from './approvable-action.ts';

export type BoundStep = {
  name: string;
  afterMs: number;
  plan: string | undefined;
  done: string;
  was: string;
  /** The snapshot that is expected when this step starts. */
  expects: (snapshot: unknown) => unknown;
  mustBeOurs: boolean;
  sendsOnce: boolean;
  undo: UndoButton | undefined;
  removesSubject: boolean;
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
  progressOf: (step: Pick<BoundStep, 'name'>) => Promise<Progress>;
  run: (step: Pick<BoundStep, 'name'>, limits: FollowLimits) => Promise<RunResult>;
};

/** An action bound to its payload: all that the approvals feature knows about an action. */
export type BoundAction = {
  subjectId: string;
  summary: string;
  /** Personal text for the audit log, beside the summary: exact, without markup. */
  audited: AuditedText;
  details: Detail[];
  changes: string[];
  warning: string | undefined;
  /** Plain text. */
  consequence: string | undefined;
  style: 'primary' | 'danger';
  steps: [BoundStep, ...BoundStep[]];
  cancellation: { step: BoundStep; texts: CancellationTexts } | undefined;
  isShownExactly: (snapshot: unknown) => boolean;
  requestAgain: RequestButton;
  view: RequestButton | undefined;
  requestBody: string | undefined;
  /** Undefined if the request is not valid anymore, because its connection was replaced. */
  open: (openers: Openers, request: OpenedFor) => Promise<OpenedAction | undefined>;
  differences: (before: unknown, after: unknown) => string[];
  /** Whether the subject can be a person of the workspace. */
  isAboutPerson: boolean;
  isSubject: (snapshot: unknown, person: Person) => 'no' | 'yes' | 'unknown';
  /** Why this person may not request it: mrkdwn. */
  requesterRefusal: (requester: Person, settings: WorkspaceSettings) => string | undefined;
  /** Who decides, given the approvers that setup names. None: the workspace's admins. */
  approvers: (named: string[]) => string[];
  /** How many different people have to approve a request that is made with these settings. */
  requiredApprovals: (settings: WorkspaceSettings) => number;
};

/** The step with this name; the first one for a request that stores none. */
export function stepOf(action: BoundAction, name: string | undefined): BoundStep {
  const [first] = action.steps;
  if (name === undefined) return first;
  const step = [...action.steps, action.cancellation?.step].find((one) => one?.name === name);
  if (!step) throw new Error(`no such step: ${name}`);
  return step;
}

/** The step that follows; none after the last one and after canceling. */
export function stepAfter(action: BoundAction, name: string | undefined): BoundStep | undefined {
  if (isCancelStep(action, name)) return undefined;
  return action.steps[action.steps.indexOf(stepOf(action, name)) + 1];
}

/** The steps that ran before this one. */
export function stepsBefore(action: BoundAction, name: string | undefined): BoundStep[] {
  if (isCancelStep(action, name)) return action.steps.slice(0, -1);
  return action.steps.slice(0, action.steps.indexOf(stepOf(action, name)));
}

function isCancelStep({ cancellation }: BoundAction, name: string | undefined): boolean {
  return name !== undefined && name === cancellation?.step.name;
}

/** SHA-256 of the canonical JSON: the same for equal snapshots, regardless of the order of their keys. */
export function hashSnapshot(snapshot: unknown): string {
  return createHash('sha256')
    .update(canonicalize(snapshot) ?? '')
    .digest('base64url');
}
