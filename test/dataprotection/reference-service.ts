import { onTestFinished } from 'vitest';
import {
  type ReferenceServiceOptions,
  startReferenceService,
} from '../../playground/service/start-service.ts';
import type { ServiceClient } from '../../src/dataprotection/client.ts';
import type { Service } from '../../src/workspace/open-service.ts';
import { openClient } from './local-server.ts';

/** The reference service and a client for its first portal, closed after the test. */
export async function openReference(options: ReferenceServiceOptions = {}) {
  const service = await startReferenceService(options);
  onTestFinished(() => service.close());
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  const client = openClient(portal.baseUrl, portal.token, undefined, options.dialect);
  return { service, portal, client };
}

/** The service of a workspace's only connection. */
export function serviceWith(client: ServiceClient): Service {
  return {
    connectionId: 'c1',
    originId: '00000000-0000-4000-8000-0000000000c1',
    organizationalUnitId: undefined,
    tokenOwner: undefined,
    client,
  };
}
