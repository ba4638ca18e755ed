import { afterEach, describe, expect, it } from 'vitest';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { callPortal, firstOf, listPortal, testNow } from '../call-portal.ts';
import { callLive, listLive } from '../live/call-live.ts';

const dialects = [
  { dialect: 'documented', list: listPortal, call: callPortal },
  { dialect: 'live', list: listLive, call: callLive },
] as const;

describe.each(dialects)('faulty lists of the $dialect dialect', ({ dialect, list, call }) => {
  let service: ReferenceService;
  afterEach(() => service.close());
  async function open() {
    service = await startReferenceService({ dialect, now: testNow });
    const portal = firstOf(service.portals);
    const idsAt = async (path: string) => {
      const page = await list(portal, path);
      return {
        ids: page._embedded.items.map(({ id }) => id),
        next: page._links._next?.href ?? '',
      };
    };
    return { portal, idsAt };
  }

  it.each([
    { style: 'absolute', starts: 'https://elsewhere.example/' },
    { style: 'protocol-relative', starts: '//elsewhere.example/' },
    { style: 'climbing', starts: '/../../' },
  ] as const)('have links to another origin, $style', async ({ style, starts }) => {
    const { portal } = await open();
    service.setFault({ kind: 'foreign-links', origin: 'https://elsewhere.example', style });
    const reply = await call(portal, '/users');
    expect(reply.text).toContain(`"_next":{"href":"${starts}`);
  });

  it.each(['/users', '/policies/definitions', '/alerts/individual'])(
    'repeat a page of %s',
    async (path) => {
      const { idsAt } = await open();
      service.setFault({ kind: 'repeating-page' });
      const { next } = await idsAt(path);
      expect((await idsAt(next)).next).toBe(next);
    },
  );

  it.each(['/users', '/policies/definitions', '/alerts/individual'])(
    'never end at %s, with new items on each page',
    async (path) => {
      const { idsAt } = await open();
      service.setFault({ kind: 'endless-list' });
      const seen = new Set<string>();
      let target = path;
      for (let page = 1; page <= 15; page += 1) {
        const before = seen.size;
        const { ids, next } = await idsAt(target);
        for (const id of ids) seen.add(id);
        expect(seen.size).toBe(before + ids.length);
        expect(next).not.toBe(target);
        target = next;
      }
    },
  );

  it('remove, insert or update an item after it was read', async () => {
    const { idsAt } = await open();
    for (const [change, moves] of [
      ['remove', 1],
      ['insert', -1],
      ['update', 0],
    ] as const) {
      service.reset();
      const users = service.users('us-west').map(({ id }) => id);
      service.setFault({ kind: 'changing-list', change });
      const { next } = await idsAt('/users');
      service.setFault(undefined);
      expect(firstOf((await idsAt(next)).ids)).toBe(users[20 + moves]);
    }
    expect(service.user('us-west', '1')?.full_name).toContain('(changed)');
  });

  it.runIf(dialect === 'live')('lose and expire backups, and disconnect environments', async () => {
    const { portal, idsAt } = await open();
    const backups = '/backups/aws/ebs-volumes';
    const statusOf = async (id: string) => (await call(portal, `${backups}/${id}`)).status;
    service.setFault({ kind: 'changing-list', change: 'remove' }, { times: 1 });
    expect(await statusOf(firstOf((await idsAt(backups)).ids))).toBe(404);

    service.setFault({ kind: 'changing-list', change: 'update' }, { times: 2 });
    const expired = firstOf((await idsAt(backups)).ids);
    const [unlinked] = (await idsAt('/datasources/aws/environments')).ids;
    expect(await statusOf(expired)).toBe(200);
    const backup = service.backups('us-west').find(({ id }) => id === expired);
    expect(Date.parse(backup?.expiration_timestamp ?? '')).toBeLessThanOrEqual(Date.now());
    const environment = service.environments('us-west').find(({ id }) => id === unlinked);
    expect(environment?.connection_status).toBe('unlinked');
  });

  it('do not affect responses that are not lists', async () => {
    const { portal } = await open();
    service.setFault({ kind: 'endless-list' });
    expect(await call(portal, '/users/1')).toMatchObject({ status: 200, json: { id: '1' } });
    expect((await call(portal, '/nowhere')).status).toBe(404);
  });
});
