import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Person } from '../../slack/api/person.ts';
import type {
  CancellationTexts,
  Check,
  CheckContext,
  Detail,
  RequestButton,
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
  run: (client: ServiceClient) => Promise<void>;
  undo: RequestButton | undefined;
};

/** The subject as it was read; `snapshot` is in the action's own shape. */
export type FoundSubject = {
  snapshot: unknown;
  preview: (client: ServiceClient) => Promise<Detail[]>;
  checks: (context: CheckContext) => Promise<Check[]>;
};

/** Reads the subject from the service at most once, however often it is needed. */
export type SubjectReading = {
  /** Undefined when the subject is gone. */
  find: () => Promise<FoundSubject | undefined>;
  isDone: (step: Pick<BoundStep, 'name'>) => Promise<boolean>;
};

/** An action bound to its payload: all that the approvals feature knows about an action. */
export type BoundAction = {
  subjectId: string;
  summary: string;
  /** Personal text for the audit log, beside the summary: exact, without markup. */
  audited: { subject: string; newName?: string };
  details: Detail[];
  warning: string | undefined;
  style: 'primary' | 'danger';
  steps: [BoundStep, ...BoundStep[]];
  cancellation: { step: BoundStep; texts: CancellationTexts } | undefined;
  isShownExactly: (snapshot: unknown) => boolean;
  requestAgain: RequestButton;
  openReading: (client: ServiceClient) => SubjectReading;
  differences: (before: unknown, after: unknown) => string[];
  isSubject: (snapshot: unknown, person: Person) => 'no' | 'yes' | 'unknown';
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

/** SHA-256 of the canonical JSON: the same for equal snapshots, whatever the order of their keys. */
export function hashSnapshot(snapshot: unknown): string {
  return createHash('sha256')
    .update(canonicalize(snapshot) ?? '')
    .digest('base64url');
}
