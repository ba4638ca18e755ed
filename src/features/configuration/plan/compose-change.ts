import { randomUUID } from 'node:crypto';
import type { FormChange, SetupChange } from '../../../workspace/setup-change.ts';
import { valuesInForce } from '../../setup/index.ts';
import { toSettings } from '../read-stored.ts';
import type { SavablePlan } from '../save/save-configuration.ts';
import { formatItem } from '../views/format-plan.ts';
import type { CheckedPlan } from './check-service.ts';

/**
 * A plan as one change of the setup, which people are shown and decide on as a whole: what the settings
 * change, and the rest as `configuration`. Undefined for a workspace without a connection.
 */
export function composeChange(plan: CheckedPlan): SetupChange | undefined {
  const { stored, wanted, changes, items } = plan;
  const [connection] = stored.setup.connections;
  if (!connection) return undefined;
  const isOfSettings = ({ target }: FormChange) => target === undefined;
  const all = changes.map(({ change }) => change);
  const settings = toSettings(wanted);
  const values = valuesInForce(connection, settings, []);
  const { tokenOwner } = connection;
  const unchanged: FormChange = {
    changeId: '',
    basedOn: stored.setup.revision,
    hasNewToken: false,
    before: values,
    after: values,
    tokenOwnerBefore: tokenOwner,
    tokenOwnerAfter: tokenOwner,
  };
  return {
    ...(all.find(isOfSettings) ?? unchanged),
    changeId: randomUUID(),
    configuration: {
      changes: all.filter((change) => !isOfSettings(change)),
      items: items.map(formatItem).toSorted(),
      plan: undefined,
    },
  };
}

export function toSavable(plan: CheckedPlan): SavablePlan {
  return { ...plan, hash: plan.stored.hash, composed: composeChange(plan) };
}
