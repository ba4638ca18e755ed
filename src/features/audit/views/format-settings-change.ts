import { allSettings, definedSettings } from '../../../workspace/settings/settings.ts';
import type { AuditRecord } from '../store/audit-store.ts';

/** The settings that an entry says were changed; undefined for other entries. */
export function formatSettingsChange(facts: AuditRecord['facts']): string | undefined {
  const changes = [
    // The entry of other approvers has them alone.
    definedSettings.approvers.formatFacts(facts.before, facts.after),
    ...allSettings.map(({ name, audited, formatFacts }) => {
      const change = formatFacts(facts[`${name}Before`], facts[`${name}After`]);
      return change && `${audited} ${change}`;
    }),
    facts.tokenOwnerChanged === true ? 'token owner' : undefined,
  ];
  return changes.filter((change) => change !== undefined).join(', ') || undefined;
}
