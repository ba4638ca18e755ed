import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ApprovableActionName } from '../../audit-log/registry.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { Person } from '../../slack/api/person.ts';
import type {
  ActionLimit,
  ApprovableAction,
  CancellationTexts,
  Check,
  CheckContext,
  Detail,
  RequestButton,
  Step,
} from './approvable-action.ts';

export type BoundStep = {
  name: string;
  afterMs: number;
  plan: string | undefined;
  done: string;
  was: string;
  /** What the snapshot should be when this step begins. */
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

/** At most one reading of the subject from the service, for all who need it. */
export type SubjectReading = {
  /** Undefined when the subject is gone. */
  find: () => Promise<FoundSubject | undefined>;
  isDone: (step: Pick<BoundStep, 'name'>) => Promise<boolean>;
};

/** An action bound to its payload: all that the approvals feature knows of any action. */
export type BoundAction = {
  subjectId: string;
  summary: string;
  /** Personal text for the audit log, beside the summary; mrkdwn. */
  audited: { subject: string; newName?: string };
  details: Detail[];
  warning: string | undefined;
  style: 'primary' | 'danger';
  steps: [BoundStep, ...BoundStep[]];
  cancellation: { step: BoundStep; texts: CancellationTexts } | undefined;
  requestAgain: RequestButton;
  openReading: (client: ServiceClient) => SubjectReading;
  differences: (before: unknown, after: unknown) => string[];
  isSubject: (snapshot: unknown, person: Person) => 'no' | 'yes' | 'unknown';
};

/** The stored part of a request that its action parses. */
type StoredRequest = { action: string; payload: unknown; snapshot?: unknown };

/** An action whose payload and subject were just read, ready to be requested. */
export type PreparedAction = {
  name: ApprovableActionName;
  payload: unknown;
  action: BoundAction;
  subject: FoundSubject;
};

export type ActionEntry = {
  name: ApprovableActionName;
  limit: ActionLimit | undefined;
  personalFields: { removed: string[]; replaced: string[] };
  bind: (stored: StoredRequest) => BoundAction;
};

/** Every approvable action by name: one that is missing does not compile. */
export type ActionEntries = Record<ApprovableActionName, ActionEntry>;

/** Makes an action storable by name: what the database returns is parsed with its schemas. */
export function defineAction<Payload, Snapshot, Subject>(
  action: ApprovableAction<Payload, Snapshot, Subject>,
): ActionEntry & { prepare: (payload: Payload, subject: Subject) => PreparedAction } {
  const { name, limit, personalFields, cancellation } = action;
  const parseSnapshot = (stored: unknown): Snapshot => action.snapshot.parse(stored);

  const bind = (stored: StoredRequest): BoundAction => {
    const payload = action.payload.parse(stored.payload);
    const snapshot = stored.snapshot === undefined ? undefined : parseSnapshot(stored.snapshot);
    const bindStep = (step: Step<Payload, Snapshot, Subject>): BoundStep => ({
      name: step.name,
      afterMs: step.afterMs?.(payload) ?? 0,
      plan: step.plan?.(payload),
      done: step.done(payload),
      was: (step.was ?? step.done)(payload),
      expects: (before) => {
        const asRequested = parseSnapshot(before);
        return step.expects ? step.expects(asRequested) : asRequested;
      },
      mustBeOurs: step.mustBeOurs ?? false,
      run: (client) => step.run(client, payload),
      undo: step.undo?.(payload),
    });
    const [first, ...rest] = action.steps(payload);
    const cancelStep = cancellation?.step(payload, snapshot);
    const openReading = (client: ServiceClient): SubjectReading => {
      let subject: Promise<Subject | undefined> | undefined;
      const read = () => {
        subject ??= action.readSubject(client, payload);
        return subject;
      };
      return {
        async find() {
          const found = await read();
          return found === undefined ? undefined : bindSubject(found, action);
        },
        isDone: async ({ name: wanted }) => {
          const step = [first, ...rest, cancelStep].find((one) => one?.name === wanted);
          return (await step?.isDone(read, payload)) ?? false;
        },
      };
    };
    return {
      subjectId: action.subjectId(payload),
      summary: action.summary(payload),
      audited: action.audited(payload),
      details: action.details(payload),
      warning: action.warning?.(payload),
      style: action.style,
      steps: [bindStep(first), ...rest.map(bindStep)],
      cancellation: cancellation &&
        cancelStep && { step: bindStep(cancelStep), texts: cancellation.texts },
      requestAgain: action.requestAgain(payload),
      openReading,
      differences: (before, after) =>
        action.differences(parseSnapshot(before), parseSnapshot(after)),
      isSubject: (seen, person) => action.isSubject(parseSnapshot(seen), person),
    };
  };

  return {
    name,
    limit,
    personalFields,
    bind,
    prepare(payload, subject) {
      const bound = bind({ action: name, payload });
      return { name, payload, action: bound, subject: bindSubject(subject, action) };
    },
  };
}

function bindSubject<Payload, Snapshot, Subject>(
  subject: Subject,
  action: ApprovableAction<Payload, Snapshot, Subject>,
): FoundSubject {
  return {
    snapshot: action.snapshotOf(subject),
    preview: (client) => action.preview(client, subject),
    checks: (context) => action.checks(subject, context),
  };
}

export type BindAction = (stored: StoredRequest) => BoundAction;

/** Finds stored actions by name. @throws Error for an unknown name, such as a newer version's. */
export function createActionBinder(entries: ActionEntries): BindAction {
  const byName = new Map<string, ActionEntry>(Object.entries(entries));
  return (stored) => {
    const entry = byName.get(stored.action);
    if (!entry) throw new Error(`no such approvable action: ${stored.action}`);
    return entry.bind(stored);
  };
}

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
