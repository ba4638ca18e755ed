import { expect, it } from 'vitest';
import { callLive, listLive, openLive } from './call-live.ts';

const unitHeader = 'X-Clumio-OrganizationalUnit-Context';

it('responds 403 with code 359 without a token, and 401 to an invalid one', async () => {
  const { portal } = await openLive();
  const missing = await callLive(portal, '/users', { headers: { authorization: undefined } });
  expect(missing.status).toBe(403);
  expect(missing.json).toEqual({
    errors: [{ error_code: 359, error_message: expect.any(String) }],
  });
  expect((await callLive({ ...portal, token: 'nonsense' }, '/users')).status).toBe(401);
});

it("selects the unit by the live dialect's header only", async () => {
  const { portal } = await openLive();
  const unit = portal.organizationalUnits[1]?.id;
  const inUnit = (name: string) => listLive(portal, '/users', { headers: { [name]: unit } });
  expect(await inUnit(unitHeader)).toMatchObject({ total_count: 60 });
  expect(await inUnit('X-Service-OrganizationalUnit-Context')).toMatchObject({ total_count: 240 });

  const empty = await listLive(portal, '/users', { headers: { [unitHeader]: '' } });
  expect(empty).toMatchObject({ total_count: 240 });
  const restricted = { ...portal, token: portal.restrictedToken };
  const refused = await callLive(restricted, '/users', { headers: { [unitHeader]: unit } });
  expect(refused.status).toBe(403);
});
