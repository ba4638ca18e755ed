import { safe } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import {
  formatRulePart,
  parseRuleFacts,
  protectedKinds,
  ruledActionNames,
  rulePartLabels,
} from '../../workspaces/index.ts';
import type { AuditRecord } from '../store/audit-store.ts';

/** Which rule was changed, and each changed part from and to: mrkdwn. */
export function formatRuleChange({ facts, personal, isErased }: AuditRecord): string {
  const change = parseRuleFacts(facts, personal);
  if (!change) return '';
  const { action, before, after } = change;
  const parts = change.parts.map((part) => {
    const label = rulePartLabels[part].toLowerCase();
    if (part === 'reasonFormat' && isErased) return label;
    return `${label} from ${formatRulePart[part](before)} to ${formatRulePart[part](after)}`;
  });
  return ` for “${ruledActionNames[action]}”: ${parts.join(', ')}`;
}

const nouns = {
  addresses: { one: 'address', many: 'addresses' },
  domains: { one: 'domain', many: 'domains' },
  roles: { one: 'role', many: 'roles' },
} as const;

/** What was added and removed, or how many once the text was erased: mrkdwn. */
export function formatProtectionChange({ facts, personal }: AuditRecord): string {
  const changes = protectedKinds.flatMap((kind) =>
    (['Added', 'Removed'] as const).flatMap((change) => {
      const count = facts[`${kind}${change}`];
      if (typeof count !== 'number') return [];
      const texts = personal[`${kind}${change}`];
      const { one, many } = nouns[kind];
      const what = `${change.toLowerCase()} ${plural(count, one, many)}`;
      return [texts === undefined ? what : `${what} (${safe(texts, 300)})`];
    }),
  );
  return changes.length > 0 ? `: ${changes.join(', ')}` : '';
}
