import type { ApprovableActionName } from '../../audit-log/registry.ts';
import type { ServiceClient } from '../../dataprotection/client.ts';
import type { ActionLimit, ApprovableAction, Step } from './approvable-action.ts';
import type { BoundAction, BoundStep, FoundSubject, SubjectReading } from './bound-action.ts';

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
      isShownExactly: (seen) => action.isShownExactly(payload, parseSnapshot(seen)),
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
