import type { ApprovableActionName } from '../../audit-log/registry.ts';
import { parseRow } from '../../database/parse-rows.ts';
import { ExplainedError } from '../../explained-error.ts';
import type { Service } from '../workspaces/index.ts';
import type {
  ActionLimit,
  ActionTarget,
  ApprovableAction,
  OpenedFor,
  Openers,
  PersonalFields,
  RequestFacts,
  Step,
} from './approvable-action.ts';
import type { BoundAction, BoundStep, FoundSubject, OpenedAction } from './bound-action.ts';
import { operatorRefusal } from './guards.ts';

/** The stored part of a request that its action parses. */
type StoredRequest = { action: string; payload: unknown; snapshot?: unknown } & RequestFacts;
/** `teamId`: for the log. */
type BoundRequest = StoredRequest & { teamId?: string };

/** An action whose payload and subject were just read, ready to be requested. */
export type PreparedAction = {
  name: ApprovableActionName;
  payload: unknown;
  action: BoundAction;
  subject: FoundSubject;
  target: Omit<ActionTarget, 'client'>;
  supersedes: ApprovableActionName[];
};

export type ActionEntry = {
  name: ApprovableActionName;
  limit: ActionLimit | undefined;
  supersedes: ApprovableActionName[];
  personalFields: PersonalFields;
  bind: (stored: StoredRequest) => BoundAction;
};

/** Every approvable action by name: one that is missing does not compile. */
export type ActionEntries = Record<ApprovableActionName, ActionEntry>;

/** `open` of actions on the service: a request is valid only on the connection it was made on. */
export function openSameService(
  { openService }: Openers,
  { teamId, connectionId }: OpenedFor,
): Promise<Service | undefined> {
  return openService(teamId, { connectionId });
}

/** Makes an action storable by name: what the database returns is parsed with its schemas. */
export function defineAction<Payload, Snapshot, Subject, Target extends ActionTarget>(
  action: ApprovableAction<Payload, Snapshot, Subject, Target>,
): ActionEntry & {
  prepare: (payload: Payload, subject: Subject, target: Target) => PreparedAction;
} {
  const { name, limit, supersedes = [], personalFields, cancellation } = action;
  const parseSnapshot = (stored: unknown): Snapshot => action.snapshot.parse(stored);

  const bind = (stored: StoredRequest): BoundAction => {
    const payload = action.payload.parse(stored.payload);
    const snapshot = stored.snapshot === undefined ? undefined : parseSnapshot(stored.snapshot);
    const bindStep = (step: Step<Payload, Snapshot, Subject, Target['client']>): BoundStep => ({
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
      sendsOnce: step.sendsOnce ?? false,
      undo: step.undo?.(payload, stored),
      removesSubject: step.removesSubject ?? false,
    });
    const [first, ...rest] = action.steps(payload);
    const cancelStep = cancellation?.step(payload, snapshot);
    const findStep = (wanted: Pick<BoundStep, 'name'>) => {
      const step = [first, ...rest, cancelStep].find((one) => one?.name === wanted.name);
      if (!step) throw new Error(`no such step: ${wanted.name}`);
      return step;
    };
    return {
      subjectId: action.subjectId(payload),
      summary: action.summary(payload),
      audited: action.audited(payload),
      details: action.details(payload),
      // Most uses of a request need neither, and comparing two large policies takes long.
      get changes() {
        return action.changes?.(payload) ?? [];
      },
      warning: action.warning?.(payload, snapshot),
      get consequence() {
        return action.consequence?.(payload);
      },
      style: action.style,
      steps: [bindStep(first), ...rest.map(bindStep)],
      cancellation: cancellation &&
        cancelStep && { step: bindStep(cancelStep), texts: cancellation.texts },
      isShownExactly: (seen) => action.isShownExactly(payload, parseSnapshot(seen)),
      requestAgain: action.requestAgain(payload),
      view: action.view?.(payload, stored),
      requestBody: action.requestBody?.(payload),
      async open(openers, request): Promise<OpenedAction | undefined> {
        const target = await action.open(openers, request);
        if (!target) return undefined;
        let subject: Promise<Subject | undefined> | undefined;
        const read = () => {
          subject ??= action.readSubject(target.client, payload);
          return subject;
        };
        return {
          async find() {
            const found = await read();
            return found === undefined ? undefined : bindSubject(found, action, target);
          },
          async progressOf(step) {
            const found = await findStep(step).isDone(read, payload);
            if (typeof found !== 'boolean') return found;
            return { state: found ? 'done' : 'not-done' };
          },
          run: (step, limits) => findStep(step).run(target.client, payload, limits),
        };
      },
      differences: (before, after) =>
        action.differences(parseSnapshot(before), parseSnapshot(after)),
      isAboutPerson: action.isSubject !== undefined,
      isSubject: (seen, person) => action.isSubject?.(parseSnapshot(seen), person) ?? 'no',
      requesterRefusal(requester, settings) {
        if (action.requesterRefusal) return action.requesterRefusal(requester);
        return operatorRefusal(requester, settings, name);
      },
      approvers: (named) => action.approvers?.(payload, named) ?? named,
      requiredApprovals: (settings) => action.requiredApprovals?.(payload, settings) ?? 1,
    };
  };

  return {
    name,
    limit,
    supersedes,
    personalFields,
    bind,
    prepare(payload, found, target) {
      const { connectionId, connectionName, organizationalUnitId } = target;
      return {
        name,
        payload,
        action: bind({ action: name, payload }),
        subject: bindSubject(found, action, target),
        target: { connectionId, connectionName, organizationalUnitId },
        supersedes,
      };
    },
  };
}

function bindSubject<Payload, Snapshot, Subject, Target extends ActionTarget>(
  subject: Subject,
  action: ApprovableAction<Payload, Snapshot, Subject, Target>,
  service: Target,
): FoundSubject {
  return {
    snapshot: action.snapshotOf(subject),
    preview: () => action.preview(service.client, subject),
    checks: (context) => action.checks(subject, { service, ...context }),
  };
}

export type BindAction = (stored: BoundRequest) => BoundAction;

/** The request is for an action that only a newer version of Belay has. */
class NewerActionError extends ExplainedError {
  override name = 'NewerActionError';

  constructor(name: string) {
    super(
      `no such approvable action: ${name}`,
      'This request was created by a newer version of Belay, which is being installed. Nothing was changed. Try again in a few minutes.',
    );
  }
}

/**
 * Finds stored actions by name.
 * @throws {NewerActionError} for an unknown name, {UnreadableRowError} if the action can't parse the row
 */
export function createActionBinder(entries: ActionEntries): BindAction {
  const byName = new Map<string, ActionEntry>(Object.entries(entries));
  return (stored) => {
    const entry = byName.get(stored.action);
    if (!entry) throw new NewerActionError(stored.action);
    const { id = 'unknown', teamId } = stored;
    return parseRow({ table: 'approval', id, teamId }, () => entry.bind(stored));
  };
}
