import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { ApprovableActionName } from '../audit-log/registry.ts';
import { NewerRowError, parseRow } from '../database/parse-rows.ts';
import type { Service } from '../workspace/open-service.ts';
import type { OpenedFor } from '../workspace/open-settings.ts';
import type {
  Action,
  ActionDefinition,
  ActionLimit,
  ActionStep,
  ActionTarget,
  DescribedAction,
  DescribedRequest,
  DescribedSeveral,
  FoundSubject,
  OpenedAction,
  Openers,
  PersonalFields,
  Step,
} from './action.ts';
import { operatorRefusal } from './guards.ts';

/** An action whose payload and subject were just read, ready to be requested. */
export type PreparedAction = {
  name: ApprovableActionName;
  payload: unknown;
  action: Action;
  subject: FoundSubject;
  target: Omit<ActionTarget, 'client'>;
  supersedes: ApprovableActionName[];
};

/** The stored part of a run that its action parses. */
type StoredRun = DescribedRequest<unknown> & { payload: unknown };
/** `id` and `teamId`: for the log. */
type StoredRequest = {
  action: string;
  id?: string;
  teamId?: string;
  runs: [StoredRun, ...StoredRun[]];
};

export type ActionEntry = {
  name: ApprovableActionName;
  limit: ActionLimit | undefined;
  limitedBy: 'replaces' | undefined;
  /** Whether a request with this payload counts toward the limit, if there is one. */
  isLimited: (payload: unknown) => boolean;
  supersedes: ApprovableActionName[];
  personalFields: PersonalFields;
  /** The action on one subject. */
  bind: (run: StoredRun) => Action;
  /** The action on all of them, for what is shown and decided. @throws if each needs its own request */
  join: (each: Several<{ action: Action; payload: unknown }>) => Action;
};

type Several<Of> = [Of, ...Of[]];

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
  definition: ActionDefinition<Payload, Snapshot, Subject, Target>,
): ActionEntry & {
  prepare: (payload: Payload, subject: Subject, target: Target) => PreparedAction;
} {
  const { name, limit, limitedBy, supersedes = [], personalFields, describe } = definition;
  const parse = (stored: unknown): Snapshot => definition.snapshot.parse(stored);

  return {
    name,
    limit,
    limitedBy,
    isLimited: (payload) =>
      limitedBy === undefined || definition.payload.parse(payload)[limitedBy] !== undefined,
    supersedes,
    personalFields,
    bind({ payload, snapshot: stored, id, subjectId }) {
      const snapshot = stored === undefined ? undefined : parse(stored);
      const described = describe(definition.payload.parse(payload), { id, subjectId, snapshot });
      return bindAction(name, described, { snapshot, parse });
    },
    join(each) {
      if (!definition.several) throw new Error(`a request for ${name} is about one subject`);
      const payloads = each.map(({ payload }) => definition.payload.parse(payload));
      return joinActions(
        each.map(({ action }) => action),
        definition.several(payloads),
      );
    },
    prepare(payload, found, target) {
      const described = describe(definition.payload.parse(payload), {});
      const snapshot = described.snapshotOf(found);
      const { connectionId, connectionName } = target;
      return {
        name,
        payload,
        action: bindAction(name, described, { snapshot, parse }),
        subject: bindSubject(found, described, target),
        target: { connectionId, connectionName },
        supersedes,
      };
    },
  };
}

function bindAction<Snapshot, Subject, Target extends ActionTarget>(
  name: ApprovableActionName,
  described: DescribedAction<Snapshot, Subject, Target>,
  { snapshot, parse }: { snapshot: Snapshot | undefined; parse: (stored: unknown) => Snapshot },
): Action {
  const { steps, cancellation, isSubject, changeRefusal = () => undefined } = described;
  type OwnStep = Step<Snapshot, Subject, Target['client']>;
  const bindStep = ({
    isDone: _,
    run: __,
    abort,
    followUp,
    expects,
    ...step
  }: OwnStep): ActionStep => ({
    afterMs: 0,
    plan: undefined,
    was: step.done,
    mustBeOurs: false,
    doneForNow: undefined,
    sendsOnce: false,
    undo: undefined,
    removesSubject: false,
    canAbort: abort !== undefined,
    followUpMs: followUp?.afterMs,
    ...step,
    expects: (before) => expects?.(parse(before)) ?? parse(before),
  });
  const findStep = (wanted: Pick<OwnStep, 'name'>): OwnStep => {
    const step = [...steps, cancellation?.step].find((one) => one?.name === wanted.name);
    if (!step) throw new Error(`no such step: ${wanted.name}`);
    return step;
  };
  const [first, ...rest] = steps;
  return {
    ...described,
    details: described.details ?? [],
    nameSubjects: undefined,
    changes: described.changes ?? (() => []),
    steps: [bindStep(first), ...rest.map(bindStep)],
    cancellation: cancellation && { ...cancellation, step: bindStep(cancellation.step) },
    isShownExactly: () => snapshot !== undefined && described.isShownExactly(snapshot),
    async open(openers, request): Promise<OpenedAction | undefined> {
      const target = await described.open(openers, request);
      if (!target) return undefined;
      let subject: Promise<Subject | undefined> | undefined;
      const read = () => {
        subject ??= described.readSubject(target.client, openers.clock());
        return subject;
      };
      return {
        async find() {
          const found = await read();
          return found === undefined ? undefined : bindSubject(found, described, target);
        },
        async progressOf(step, sent) {
          const found = await findStep(step).isDone(read, sent);
          if (typeof found !== 'boolean') return found;
          return { state: found ? 'done' : 'not-done' };
        },
        run: (step, limits) => findStep(step).run(target.client, limits),
        abortRefusal: async (step, taskId) => findStep(step).abort?.refusal(target.client, taskId),
        abort: async (step, taskId) => findStep(step).abort?.send(target.client, taskId),
        followUp: async (step) => findStep(step).followUp?.look(target.client),
      };
    },
    differences: (before, after) => described.differences(parse(before), parse(after)),
    isAboutPerson: isSubject !== undefined,
    isSubject(person) {
      if (!isSubject) return 'no';
      return snapshot === undefined ? 'erased' : isSubject(snapshot, person);
    },
    requesterRefusal: (requester, settings) =>
      (described.requesterRefusal
        ? described.requesterRefusal(requester, settings)
        : operatorRefusal(requester, settings, name)) ?? changeRefusal(requester),
    changeRefusal,
    approvers: described.approvers ?? ((named) => named),
    requiredApprovals: described.requiredApprovals ?? (() => 1),
  };
}

/** What is shown and decided once for all subjects. None of its steps runs: each run has its own. */
function joinActions(each: Action[], described: DescribedSeveral): Action {
  const [first] = each;
  if (!first) throw new Error('a request about nothing');
  const { name, cancellationTexts, ...texts } = described;
  const { cancellation } = first;
  return {
    ...first,
    ...texts,
    changes: described.changes ?? (() => []),
    nameSubjects: name,
    audited: { subject: name(each.length) },
    details: [],
    view: undefined,
    cancellation: cancellation && {
      ...cancellation,
      texts: cancellationTexts ?? cancellation.texts,
    },
    isShownExactly: () => each.every((action) => action.isShownExactly()),
    isSubject(person) {
      const results = each.map((action) => action.isSubject(person));
      return (['yes', 'unknown', 'erased'] as const).find((one) => results.includes(one)) ?? 'no';
    },
  };
}

/** The action of one request about the subjects of these. */
export function prepareSeveral(
  prepared: Several<PreparedAction>,
  actions: ActionEntries,
): PreparedAction {
  const [first, ...others] = prepared;
  if (others.length === 0) return first;
  return {
    ...first,
    action: actions[first.name].join(prepared),
    // What is known about each of them is stored with its run.
    subject: { snapshot: undefined, preview: async () => [], checks: async () => [] },
  };
}

function bindSubject<Snapshot, Subject, Target extends ActionTarget>(
  subject: Subject,
  { snapshotOf, preview, checks }: DescribedAction<Snapshot, Subject, Target>,
  service: Target,
): FoundSubject {
  return {
    snapshot: snapshotOf(subject),
    preview: async () => preview?.(service.client, subject) ?? [],
    checks: async (context) => checks?.(subject, { service, ...context }) ?? [],
  };
}

export type BindAction = (stored: StoredRequest) => Action;

/** The request is for an action that only a newer version of Belay has. */
class NewerActionError extends NewerRowError {
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
    const { id = 'unknown', teamId, runs } = stored;
    return parseRow({ table: 'approval', id, teamId }, () => {
      const [first, ...others] = runs;
      if (others.length === 0) return entry.bind(first);
      const join = (run: StoredRun) => ({ action: entry.bind(run), payload: run.payload });
      return entry.join([join(first), ...others.map(join)]);
    });
  };
}

/** SHA-256 of the canonical JSON: the same for equal snapshots, regardless of the order of their keys. */
export function hashSnapshot(snapshot: unknown): string {
  return createHash('sha256')
    .update(canonicalize(snapshot) ?? '')
    .digest('base64url');
}
