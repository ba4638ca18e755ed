import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Person } from '../../slack/api/person.ts';
import type {
  ApprovableAction,
  AskButton,
  Check,
  CheckContext,
  Detail,
  Step,
} from './approvable-action.ts';

export type BoundStep = {
  name: string;
  afterMs: number;
  plan: string | undefined;
  done: string;
  was: string;
  /** What the snapshot should be by now. */
  expects: (snapshot: unknown) => unknown;
  isDone: (client: ServiceClient) => Promise<boolean>;
  mustBeOurs: boolean;
  execute: (client: ServiceClient) => Promise<void>;
  undo: AskButton | undefined;
};

/** What a look at the subject found; `snapshot` is in the action's own shape. */
export type Look = { snapshot: unknown; preview: Detail[] };

/** An action with its payload inside: how the approvals feature sees actions it knows nothing of. */
export type BoundAction = {
  subjectId: string;
  summary: string;
  details: Detail[];
  warning: string | undefined;
  style: 'primary' | 'danger';
  steps: [BoundStep, ...BoundStep[]];
  keep: BoundStep | undefined;
  askAgain: AskButton;
  look: (client: ServiceClient) => Promise<Look | undefined>;
  differences: (before: unknown, after: unknown) => string[];
  isSubject: (snapshot: unknown, person: Person) => 'no' | 'yes' | 'unknown';
  checks: (snapshot: unknown, context: CheckContext) => Promise<Check[]>;
};

/** What is stored of a request that its action needs. */
type Stored = { action: string; payload: unknown; snapshot?: unknown };

export type ActionEntry = {
  name: string;
  isCapped: boolean;
  bind: (stored: Stored) => BoundAction;
};

/** Makes an action storable by name: what comes back from the database is parsed. */
export function defineAction<Payload, Snapshot>(
  action: ApprovableAction<Payload, Snapshot>,
): ActionEntry {
  const snapshotOf = (stored: unknown): Snapshot => action.snapshot.parse(stored);
  return {
    name: action.name,
    isCapped: action.isCapped,
    bind(stored) {
      const payload = action.payload.parse(stored.payload);
      const snapshot = stored.snapshot === undefined ? undefined : snapshotOf(stored.snapshot);
      const bindStep = ({ expects, ...step }: Step<Payload, Snapshot>): BoundStep => ({
        name: step.name,
        afterMs: step.afterMs?.(payload) ?? 0,
        plan: step.plan?.(payload),
        done: step.done(payload),
        was: (step.was ?? step.done)(payload),
        expects: (before) => (expects ? expects(snapshotOf(before)) : snapshotOf(before)),
        isDone: (client) => step.isDone(client, payload),
        mustBeOurs: step.mustBeOurs ?? false,
        execute: (client) => step.execute(client, payload),
        undo: step.undo?.(payload),
      });
      const [first, ...rest] = action.steps(payload);
      const keep = action.keep?.(payload, snapshot);
      return {
        subjectId: action.subjectId(payload),
        summary: action.summary(payload),
        details: action.details(payload),
        warning: action.warning?.(payload),
        style: action.style,
        steps: [bindStep(first), ...rest.map(bindStep)],
        keep: keep && bindStep(keep),
        askAgain: action.askAgain(payload),
        look: (client) => action.look(client, payload),
        differences: (before, after) => action.differences(snapshotOf(before), snapshotOf(after)),
        isSubject: (seen, person) => action.isSubject(snapshotOf(seen), person),
        checks: (seen, context) => action.checks(payload, snapshotOf(seen), context),
      };
    },
  };
}

export type BindAction = (stored: Stored) => BoundAction;

/** Finds stored actions by name. @throws when a stored name is unknown, which is a fault of Belay. */
export function createActionBinder(entries: ActionEntry[]): BindAction {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return (stored) => {
    const entry = byName.get(stored.action);
    if (!entry) throw new Error(`no such approvable action: ${stored.action}`);
    return entry.bind(stored);
  };
}

/** The step of this name; the first one for a request that names none. */
export function stepOf(action: BoundAction, name: string | undefined): BoundStep {
  const [first] = action.steps;
  if (name === undefined) return first;
  const step = [...action.steps, action.keep].find((one) => one?.name === name);
  if (!step) throw new Error(`no such step: ${name}`);
  return step;
}

/** The step that follows; none after the last one and after *Keep*. */
export function stepAfter(action: BoundAction, name: string | undefined): BoundStep | undefined {
  if (name !== undefined && name === action.keep?.name) return undefined;
  return action.steps[action.steps.indexOf(stepOf(action, name)) + 1];
}

/** The steps that were carried out before this one. */
export function stepsBefore(action: BoundAction, name: string | undefined): BoundStep[] {
  if (name !== undefined && name === action.keep?.name) return action.steps.slice(0, -1);
  return action.steps.slice(0, action.steps.indexOf(stepOf(action, name)));
}
