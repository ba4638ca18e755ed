import { json, link, type ServiceResponse } from '../http/response.ts';
import type { RequestContext } from '../portal/request-context.ts';

export function readAutoUserProvisioning({ store, path }: RequestContext): ServiceResponse {
  return json(200, { is_enabled: store.isAutoProvisioned, _links: { _self: link(path) } });
}
