import { randomUUID } from 'node:crypto';
import type { Check } from '../action.ts';
import type { PlannedRequest } from '../check-request.ts';
import { type PreparedAction, prepareSeveral } from '../define-action.ts';
import { requesterCheck, runGuards, subjectRefusal } from '../guards.ts';
import { formatExcess, refuseExcess } from '../hourly-limit.ts';
import type { RequestContext } from '../request-context.ts';

/** A subject that can be in a request, and the checks that passed. */
export type PreparedSubject = { prepared: PreparedAction; checks: Check[] };

/** `why` it can't be: mrkdwn. */
type InspectedSubject = PreparedSubject | { prepared: PreparedAction; why: string };

/** The same action on each of several subjects on one connection. */
type InspectInput = PlannedRequest & { prepared: PreparedAction[] };

type Inspection = {
  subjects: InspectedSubject[];
  /** The action on all that can be requested; undefined if there are none. */
  prepared: PreparedAction | undefined;
  /** Why these are too many, mrkdwn. */
  excess: string | undefined;
};

/** Finds out which subjects can be in one request, and whether they are too many. */
export async function inspectSubjects(
  input: InspectInput,
  context: RequestContext,
): Promise<Inspection> {
  const subjects = await inspectEach(input, context);
  const [first, ...others] = subjects.filter((subject) => 'checks' in subject);
  if (!first) return { subjects, prepared: undefined, excess: undefined };
  const all: [PreparedAction, ...PreparedAction[]] = [
    first.prepared,
    ...others.map(({ prepared }) => prepared),
  ];
  const excess = await refuseExcess(input, all, context);
  return {
    subjects,
    prepared: prepareSeveral(all, context.actions),
    excess: excess && formatExcess(excess),
  };
}

/** The guards see all the others as changed already, so that what is safe for each is safe for all. */
async function inspectEach(
  { teamId, requester, settings, prepared }: InspectInput,
  { store, clock }: RequestContext,
): Promise<InspectedSubject[]> {
  const [first] = prepared;
  if (!first) return [];
  const { connectionId } = first.target;
  const subjectIds = prepared.map(({ action }) => action.subjectId);
  const change = { teamId, connectionId, action: first.name, subjectIds, at: clock() };
  const ref = { teamId, connectionId, id: randomUUID() };
  const [open, underWay] = await Promise.all([
    store.findOpenSubjects(change),
    store.subjectsUnderWay(ref),
  ]);
  const inspected: InspectedSubject[] = [];
  // Sequentially: with a slow service, concurrent guards would time out and refuse.
  for (const one of prepared) {
    const { action, subject } = one;
    const about = subjectRefusal(action.isSubject(requester), requester);
    if (about !== undefined || open.has(action.subjectId)) {
      inspected.push({ prepared: one, why: about ?? 'The same change was already requested.' });
      continue;
    }
    const others = subjectIds.filter((id) => id !== action.subjectId);
    const subjectsUnderWay = [...underWay, ...others];
    const { checks, refused } = await runGuards(subject, { settings, subjectsUnderWay });
    const passed = action.isAboutPerson ? [requesterCheck, ...checks] : checks;
    inspected.push(
      refused ? { prepared: one, why: refused.why } : { prepared: one, checks: passed },
    );
  }
  return inspected;
}
