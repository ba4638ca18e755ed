import type { Alert } from '../../dataprotection/resources/alerts.ts';

/**
 * The policies that an alert names with their id: its parent entity, its entity or a tag. Alerts have
 * no field for the policy (§10 The live dialect).
 */
export function policiesOf({ parentEntity, primaryEntity, tags = [] }: Alert): {
  id: string;
  name: string | undefined;
}[] {
  return [parentEntity, primaryEntity, ...tags].flatMap((entity) =>
    entity?.type === 'policy' && entity.id ? [{ id: entity.id, name: entity.value }] : [],
  );
}
