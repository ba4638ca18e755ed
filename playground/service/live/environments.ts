import type { Owned } from '../data/collection.ts';
import { renderOnce } from '../http/render-page.ts';
import { errorResponse, json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';
import type { Environment } from '../resources.ts';
import { type FilterTable, parseFilter } from './filter.ts';
import { listByToken } from './list-page.ts';

const filterTable: FilterTable<Owned<Environment>> = {
  account_native_id: {
    conditions: ['$eq', '$begins_with'],
    of: ({ resource }) => resource.account_native_id,
  },
  aws_region: { conditions: ['$eq'], of: ({ resource }) => resource.aws_region },
  connection_status: { conditions: ['$eq'], of: ({ resource }) => resource.connection_status },
  services_enabled: {
    conditions: ['$contains'],
    of: ({ resource }) => resource.services_enabled,
    ignoresCase: true,
  },
};

export function listEnvironments(context: RequestContext): ServiceResponse {
  const filter = parseFilter(context.query.get('filter'), filterTable);
  if (!filter.ok) return filter.rejection;
  const environments = filter.apply(context.store.environments.visibleIn(context.unit.id));
  return listByToken(context, environments, environmentText);
}

export function readEnvironment({ store, resourceId, unit }: RequestContext): ServiceResponse {
  const environment = store.environments.find(resourceId, unit.id);
  return environment ? json(200, renderEnvironment(environment)) : unknownEnvironment(resourceId);
}

export function unknownEnvironment(id: string): ServiceResponse {
  return errorResponse(404, `There is no environment "${id}".`);
}

const environmentText = renderOnce(renderEnvironment);

function renderEnvironment({ resource, organizationalUnitId }: Owned<Environment>) {
  const { kmsKeyIds: _, ...fields } = resource;
  return {
    ...fields,
    organizational_unit_id: organizationalUnitId,
    description: '',
    connection_id: fields.id,
    connection_group_id: null,
    connection_management_status: null,
    template_permission_set: null,
    template_version: 5,
    config: {
      asset_types_enabled: fields.services_enabled,
      installed_template_version: '5.0',
      ebs: fields.services_enabled.includes('ebs') ? { installed_template_version: '3.1' } : null,
    },
    _links: {
      _self: link(`/datasources/aws/environments/${fields.id}`),
      'read-organizational-unit': link(`/organizational-units/${organizationalUnitId}`),
    },
  };
}
