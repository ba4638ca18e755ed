import { subHours } from '../dates.ts';
import { plural } from '../slack/ui/words.ts';
import type { WorkspaceSettings } from '../workspace/settings/document.ts';
import type { PlannedRequest } from './check-request.ts';
import type { PreparedAction } from './define-action.ts';
import type { RequestContext } from './request-context.ts';
import type { DecisionLimit } from './store/deciding.ts';

/** `max` subjects per hour, in words. */
export type NamedLimit = DecisionLimit & { description: string };

/** The limit that approving the request counts toward now, if there is one. */
export function limitFor(
  { action, payload }: { action: string; payload: unknown },
  settings: WorkspaceSettings,
  { actions, clock }: Pick<RequestContext, 'actions' | 'clock'>,
): NamedLimit | undefined {
  const entries = Object.values(actions);
  const own = entries.find(({ name }) => name === action);
  const limit = own?.limit;
  if (!limit || !own.isLimited(payload)) return undefined;
  const limited = entries.filter((entry) => entry.limit === limit);
  const namesOf = (some: typeof limited) => some.map(({ name }) => name);
  const max = limit.maxPerHour(settings);
  return {
    max,
    actions: namesOf(limited.filter(({ limitedBy }) => limitedBy === undefined)),
    replacing: namesOf(limited.filter(({ limitedBy }) => limitedBy === 'replaces')),
    since: subHours(clock(), 1),
    description: limit.describe(max),
  };
}

/** More subjects than may still be approved within the hour. `limit` says what is limited, in words. */
export type LimitExcess = { result: 'limit_reached'; limit: string; left: number; added: number };

/**
 * Refuses a request about several subjects that nobody could approve now: they exceed what is left of the
 * hourly limit of their action. Approving it checks again.
 */
export async function refuseExcess(
  { teamId, settings }: Pick<PlannedRequest, 'teamId' | 'settings'>,
  prepared: PreparedAction[],
  context: RequestContext,
): Promise<LimitExcess | undefined> {
  const [first] = prepared;
  const limit =
    first && limitFor({ action: first.name, payload: first.payload }, settings, context);
  if (!limit) return undefined;
  const subjectIds = prepared.map(({ action }) => action.subjectId);
  const { added, counted } = await context.store.countTowardsLimit(teamId, subjectIds, limit);
  const left = Math.max(0, limit.max - counted);
  if (added <= left) return undefined;
  return { result: 'limit_reached', limit: limit.description, left, added };
}

/** Why a request about several subjects is refused, and by how much: mrkdwn. */
export function formatExcess({ limit, left, added }: LimitExcess): string {
  const rest = left === 0 ? 'No more users are' : plural(left, 'more user is', 'more users are');
  const remedy = left === 0 ? 'Try' : `Remove ${added - left}, try`;
  return `${limit}. ${rest} possible right now, and this request adds ${added}. ${remedy} again later, or ask an admin to change the limit in \`/belay setup\`.`;
}
