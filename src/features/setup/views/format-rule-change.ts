import { limits } from '../../../slack/ui/limits.ts';
import { readShown, safeName } from '../../../slack/ui/mrkdwn.ts';
import {
  changedProtection,
  changedRules,
  protectedKinds,
  type RuleChange,
} from '../../../workspace/compare-rules.ts';
import type { SetupChange } from '../../../workspace/setup-change.ts';
import {
  formatRulePart,
  ruledActionNames,
  rulePartLabels,
} from '../../../workspace/views/format-rule.ts';

/** The longest that can be protected. */
const maxShownLength = 320;

/** Each changed rule in as few blocks as it fits into: mrkdwn. */
export function ruleLines({ before, after }: SetupChange): string[] {
  return changedRules(before.access, after.access).flatMap(linesOf);
}

function linesOf({ action, before, after, parts }: RuleChange): string[] {
  const title = `*Rule: ${ruledActionNames[action]}*`;
  const changes = parts.map(
    (part) =>
      `${rulePartLabels[part]}: ${formatRulePart[part](before)} → ${formatRulePart[part](after)}`,
  );
  const whole = [title, ...changes].join('\n');
  if (whole.length <= limits.sectionText) return [whole];
  return changes.map((change) => `${title}\n${change}`);
}

export const protectedLabels = {
  addresses: 'Protected addresses',
  domains: 'Protected domains',
  roles: 'Protected roles',
} as const;

/** What becomes protected and what no longer is, one block for each kind: mrkdwn. */
export function protectionLines({ before, after }: SetupChange): string[] {
  const change = changedProtection(before.access.protectedUsers, after.access.protectedUsers);
  if (!change) return [];
  return protectedKinds.flatMap((kind) => {
    const { added, removed } = change[kind];
    const changes = [
      ...(added.length > 0 ? [`added ${formatProtected(added)}`] : []),
      ...(removed.length > 0 ? [`removed ${formatProtected(removed)}`] : []),
    ];
    return changes.length > 0 ? [`*${protectedLabels[kind]}*: ${changes.join(' · ')}`] : [];
  });
}

export function formatProtected(texts: readonly string[]): string {
  return texts.map((text) => safeName(text, maxShownLength)).join(', ');
}

/** Whether these lines show what people typed exactly, if nothing of a line is cut. */
export function showsRulesExactly({ before, after }: SetupChange): boolean {
  const change = changedProtection(before.access.protectedUsers, after.access.protectedUsers);
  const texts = protectedKinds.flatMap((kind) => change?.[kind].added ?? []);
  return texts.every((text) => readShown(safeName(text, maxShownLength)) === text);
}
