import type { Owned } from '../data/collection.ts';
import { errorResponse, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Volume } from '../resources.ts';
import { readEmbed } from './embed.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByNumber } from './list-page.ts';
import { renderPolicy } from './policy-format.ts';

type Item = Owned<Volume>;
/** When the period of `lookback_days` began, if the request has it. */
type Since = number | undefined;

const oneDay = 24 * 60 * 60 * 1000;
const maxLookbackDays = 60;

/** A choice: deleted volumes are left out unless the filter says otherwise. No source tells. */
const defaultFilter = { is_deleted: { $eq: false } };

export function listVolumes(context: RequestContext): ServiceResponse {
  const parameters = readParameters(context);
  if (!parameters.ok) return parameters.rejection;
  const filter = parseFilter(
    context.query.get('filter'),
    createFilterTable(context, parameters.since),
    { defaults: defaultFilter },
  );
  if (!filter.ok) return filter.rejection;
  const volumes = filter.apply(context.store.volumes.visibleIn(context.unit.id));
  return listByNumber(context, volumes, (item) =>
    JSON.stringify(renderVolume(item, context, parameters)),
  );
}

export function readVolume(context: RequestContext): ServiceResponse {
  const parameters = readParameters(context);
  if (!parameters.ok) return parameters.rejection;
  const volume = context.store.volumes.find(context.resourceId, context.unit.id);
  if (volume) return json(200, renderVolume(volume, context, parameters));
  return errorResponse(404, `There is no EBS volume "${context.resourceId}".`);
}

function createFilterTable({ store }: RequestContext, since: Since): FilterTable<Item> {
  return {
    environment_id: { conditions: ['$eq'], of: ({ resource }) => resource.environment_id },
    account_native_id: { conditions: ['$eq'], of: ({ resource }) => resource.account_native_id },
    name: { conditions: ['$eq', '$contains'], of: ({ resource }) => resource.name },
    volume_native_id: {
      conditions: ['$eq', '$contains'],
      of: ({ resource }) => resource.volume_native_id,
    },
    'protection_info.policy_id': {
      conditions: ['$eq'],
      of: ({ resource }) => protectionOf(resource)?.policyId,
    },
    protection_status: {
      conditions: ['$eq', '$in'],
      of: ({ resource }) => protectionStatusOf(resource),
    },
    backup_status: { conditions: ['$in'], of: ({ resource }) => backupStatusOf(resource, since) },
    'tags.id': { conditions: ['$all'], of: ({ resource }) => resource.tags.map(({ id }) => id) },
    is_deleted: {
      conditions: ['$eq', '$in'],
      of: ({ resource }) => String(isDeleted(resource)),
      isBoolean: true,
    },
    deactivated: {
      conditions: ['$eq'],
      of: ({ resource }) => {
        const policy = store.policies.get(protectionOf(resource)?.policyId ?? '');
        return String(policy?.activation_status === 'deactivated');
      },
      isBoolean: true,
    },
  };
}

type Parameters = { isEmbedded: boolean; since: Since };

function readParameters(
  context: RequestContext,
): ({ ok: true } & Parameters) | { ok: false; rejection: ServiceResponse } {
  const embed = readEmbed(context, 'read-policy-definition');
  if (!embed.ok) return embed;
  const text = context.query.get('lookback_days');
  if (text === null) return { ...embed, since: undefined };
  const days = /^[1-9]\d?$/.test(text) ? Number(text) : Number.NaN;
  if (days <= maxLookbackDays) return { ...embed, since: context.now.getTime() - days * oneDay };
  const message = `lookback_days must be a number from 1 to ${maxLookbackDays}.`;
  return { ok: false, rejection: errorResponse(400, message) };
}

function isDeleted({ deletion_timestamp }: Volume): boolean {
  return deletion_timestamp !== null;
}

/** A deleted volume isn't protected, but its backups remain until they expire. */
function protectionOf(volume: Volume): Volume['protection'] {
  return isDeleted(volume) ? null : volume.protection;
}

function protectionStatusOf(volume: Volume): string | null {
  if (isDeleted(volume)) return null;
  if (volume.unsupported_reason !== null) return 'unsupported';
  return volume.protection ? 'protected' : 'unprotected';
}

function backupStatusOf({ lastAttempt }: Volume, since: Since): string {
  if (since === undefined) return 'unknown';
  return lastAttempt && Date.parse(lastAttempt.at) >= since ? lastAttempt.status : 'no_backup';
}

function renderVolume(
  { resource: volume, organizationalUnitId }: Item,
  { store }: RequestContext,
  { isEmbedded, since }: Parameters,
) {
  const { protection: _protection, lastAttempt, ...fields } = volume;
  const protection = protectionOf(volume);
  const policyId = protection?.policyId ?? '';
  const policy = isEmbedded ? store.policies.find(policyId, organizationalUnitId) : undefined;
  const isDirect = protection?.tagId === null;
  return {
    ...fields,
    organizational_unit_id: organizationalUnitId,
    is_deleted: isDeleted(volume),
    is_supported: volume.unsupported_reason === null,
    protection_status: protectionStatusOf(volume),
    protection_info: protection && {
      policy_id: policyId,
      inheriting_entity_id: protection.tagId,
      inheriting_entity_type: isDirect ? null : 'aws_tag',
    },
    direct_assignment_policy_id: isDirect ? policyId : null,
    has_direct_assignment: isDirect,
    backup_status_info: {
      backup_status: backupStatusOf(volume, since),
      last_failed_policy_start_timestamp: lastAttempt?.status === 'failure' ? lastAttempt.at : null,
      last_successful_policy_start_timestamp: volume.last_backup_timestamp,
    },
    _links: {
      _self: link(`/datasources/aws/ebs-volumes/${volume.id}`),
      ...(protection
        ? { 'read-policy-definition': link(`/policies/definitions/${policyId}`) }
        : {}),
    },
    ...(policy ? { _embedded: { 'read-policy-definition': renderPolicy(policy) } } : {}),
  };
}
