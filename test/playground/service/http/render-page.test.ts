import { expect, it, onTestFinished } from 'vitest';
import { startReferenceService } from '../../../../playground/service/start-service.ts';
import { firstOf, listPortal, testNow } from '../call-portal.ts';
import { listLive } from '../live/call-live.ts';

it.each([
  { dialect: 'documented', list: listPortal, path: '/users' },
  { dialect: 'live', list: listLive, path: '/users?limit=100' },
] as const)(
  'serves 20,000 users in the $dialect dialect, each once',
  async ({ dialect, list, path }) => {
    const options = { dialect, users: 20_000, pageSize: 100, now: testNow };
    const service = await startReferenceService(options);
    onTestFinished(() => service.close());
    const portal = firstOf(service.portals);
    const [ids, mails] = [new Set<string>(), new Set<unknown>()];
    for (let next: string | undefined = path; next !== undefined; ) {
      const page: Awaited<ReturnType<typeof listLive>> = await list(portal, next);
      for (const { id, email } of page._embedded.items) {
        ids.add(id);
        mails.add(email);
      }
      next = page._links._next?.href;
    }
    expect(ids.size).toBe(20_000);
    expect(mails.size).toBe(20_000);
  },
);
