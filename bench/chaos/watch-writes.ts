import type { ReceivedRequest } from '../../playground/service/portal/portal-server.ts';
import type { ReferenceService } from '../../playground/service/start-service.ts';

/** The service forgets its oldest requests: this remembers those that change something. */
export function watchWrites({ requests }: ReferenceService) {
  const writes = new Set<ReceivedRequest>();
  const look = () => {
    for (const request of requests) if (request.method !== 'GET') writes.add(request);
  };
  const timer = setInterval(look, 1000);
  return {
    stop(): Set<ReceivedRequest> {
      clearInterval(timer);
      look();
      return writes;
    },
  };
}
