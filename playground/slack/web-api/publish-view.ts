import { z } from 'zod';
import { publishHome } from '../home.ts';
import type { LocalState } from '../state.ts';
import { problemLines } from '../validate/problem.ts';
import { isHome, VIEW_BYTES, validateHome } from '../validate/view.ts';
import { homeObject } from '../view-object.ts';
import { failure, method, rateLimited } from './method.ts';

/** Slack's tier 4, for each app and workspace. https://docs.slack.dev/apis/web-api/rate-limits */
const PER_MINUTE = 100;
const MINUTE_MS = 60_000;

/** Counts a call, unless it is one too many: then the seconds until the next is accepted. */
const countPublish = (state: LocalState): number => {
  const now = state.clock().getTime();
  const recent = state.published.filter((at) => at > now - MINUTE_MS);
  const oldest = recent[recent.length - PER_MINUTE];
  state.published = oldest === undefined ? [...recent, now] : recent;
  return oldest === undefined ? 0 : Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000));
};

/** https://docs.slack.dev/reference/methods/views.publish */
export const publish = method(
  { token: 'bot' },
  z.looseObject({ user_id: z.string(), hash: z.string().optional(), view: z.looseObject({}) }),
  ({ state }, { user_id: slackUserId, hash, view }) => {
    const waitSeconds = countPublish(state);
    if (waitSeconds > 0) return rateLimited(waitSeconds);
    if (JSON.stringify(view).length > VIEW_BYTES) return failure('view_too_large');
    if (!isHome(view)) return failure('invalid_arguments', problemLines(validateHome(view)));
    if (!state.workspace.app.hasHomeTab) return failure('not_enabled');
    const person = state.people.get(slackUserId);
    if (!person) return failure('user_not_found');
    if (person.isDeactivated) return failure('user_disabled');
    const before = state.homes.get(slackUserId);
    if (hash !== undefined && hash !== before?.hash) return failure('hash_conflict');
    return { ok: true, view: homeObject(state, publishHome(state, slackUserId, view), {}) };
  },
);
