import { randomUUID } from 'node:crypto';
import type { Person } from '../../slack/api/person.ts';
import type { WorkspaceSettings } from '../../workspace/workspace.ts';
import type { Check } from '../action.ts';
import type { PreparedAction } from '../define-action.ts';
import { requesterCheck, runGuards, subjectRefusal } from '../guards.ts';
import type { RequestContext } from '../request-context.ts';

/** A subject of a bulk request that can be requested, and the checks that passed. */
export type PreparedChild = { prepared: PreparedAction; checks: Check[] };

/** `why` it can't be requested: mrkdwn. */
export type InspectedSubject = PreparedChild | { prepared: PreparedAction; why: string };

/** The same action on each of several subjects on one connection. */
export type InspectInput = {
  teamId: string;
  requester: Person;
  settings: WorkspaceSettings;
  prepared: PreparedAction[];
};

/**
 * Finds out which subjects can be requested together. The guards see all the others as changed already,
 * so that what is safe for each one is safe for all of them.
 */
export async function inspectSubjects(
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
    const about = subjectRefusal(action.isSubject(subject.snapshot, requester), requester);
    if (about !== undefined || open.has(action.subjectId)) {
      inspected.push({ prepared: one, why: about ?? 'The same change was already requested.' });
      continue;
    }
    const others = subjectIds.filter((id) => id !== action.subjectId);
    const subjectsUnderWay = async () => [...underWay, ...others];
    const { checks, refused } = await runGuards(
      subject,
      { ...ref, settings },
      { store: { subjectsUnderWay } },
    );
    const passed = action.isAboutPerson ? [requesterCheck, ...checks] : checks;
    inspected.push(
      refused ? { prepared: one, why: refused.why } : { prepared: one, checks: passed },
    );
  }
  return inspected;
}

/**
 * The action's own checks of all subjects as lines of one request, each once, with the number of subjects
 * where it isn't that of all.
 */
export function mergeChecks(
  children: Pick<PreparedChild, 'checks'>[],
  describe: (count: number) => string,
): Check[] {
  const byText = Map.groupBy(
    children
      .flatMap(({ checks }) => checks)
      .filter((check) => check.label !== requesterCheck.label),
    ({ label, result, words, detail }) => JSON.stringify([label, result, words, detail]),
  );
  return [...byText.values()].flatMap(([check, ...rest]) => {
    if (!check) return [];
    const count = rest.length + 1;
    if (count === children.length) return [check];
    const detail = [describe(count), check.detail].filter(Boolean).join(', ');
    return [{ ...check, detail }];
  });
}
