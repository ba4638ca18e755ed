import type { Person } from '../../slack/api/person.ts';
import { mention } from '../../slack/ui/mrkdwn.ts';
import { GroupUnreadError, mayDecide, mayView } from '../../workspace/permissions.ts';
import type { WorkspaceSettings } from '../../workspace/settings/document.ts';
import { findRule } from '../rules/requirements.ts';

/**
 * Whether the person may run the action without approval at this moment: only people whom its rule
 * names, and never what no rule can be set for. @throws GroupUnreadError
 */
export function mayBreakGlass(
  person: Person,
  settings: Pick<WorkspaceSettings, 'access' | 'approvers'>,
  action: string,
): boolean {
  const { breakGlass = [] } = findRule(settings.access.rules, action) ?? {};
  return breakGlass.length > 0 && mayView(person, settings) && mayDecide(person, breakGlass);
}

/** The same for a form, which is still of use without it. */
export function offersBreakGlass(...asked: Parameters<typeof mayBreakGlass>): boolean {
  try {
    return mayBreakGlass(...asked);
  } catch (error) {
    if (error instanceof GroupUnreadError) return false;
    throw error;
  }
}

/** Why the person may not: mrkdwn. @throws GroupUnreadError */
export function breakGlassRefusal(...asked: Parameters<typeof mayBreakGlass>): string | undefined {
  if (mayBreakGlass(...asked)) return undefined;
  const [{ slackUserId }] = asked;
  return `The rule for this action doesn't let ${mention(slackUserId)} run it without approval.`;
}
