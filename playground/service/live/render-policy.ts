import type { Owned } from '../collection.ts';
import { type Links, link } from '../links.ts';
import { renderOnce } from '../render-page.ts';
import type { Policy, SlaSet } from '../resources.ts';
import { renderDuration } from './policy-body.ts';

const path = '/policies/definitions';

export const policyText = renderOnce((item: Owned<Policy>) => renderPolicy(item));

/** `more` are the links of one answer only. */
export function renderPolicy({ resource, organizationalUnitId }: Owned<Policy>, more: Links = {}) {
  const { id, name, sla_sets, activation_status, lock_status, liveFields } = resource;
  const self = `${path}/${id}`;
  return {
    timezone: null,
    ...liveFields,
    id,
    name,
    activation_status: activation_status ?? 'activated',
    lock_status: lock_status ?? 'unlocked',
    operations: sla_sets.map(renderOperation),
    organizational_unit_id: organizationalUnitId,
    created_time: resource.created_time ?? 0,
    updated_time: resource.updated_time ?? resource.created_time ?? 0,
    _links: {
      _self: link(self),
      'update-policy-definition': link(self, 'put'),
      'delete-policy-definition': link(self, 'delete'),
      'read-policy-aws-ebs-volumes-compliance-stats': link(
        `${self}/stats/compliance/aws/ebs-volumes`,
      ),
      ...more,
    },
  };
}

function renderOperation({ operation, seed_setting, slas, liveFields }: SlaSet) {
  return {
    backup_window_tz: null,
    timezone: null,
    backup_aws_region: null,
    advanced_settings: null,
    ...liveFields,
    type: operation,
    action_setting: seed_setting,
    slas: slas.map(({ rpo_frequency, retention_duration }) => ({
      rpo_frequency: renderDuration(rpo_frequency),
      retention_duration: renderDuration(retention_duration),
    })),
    next_start_time: null,
    previous_start_time: null,
  };
}
