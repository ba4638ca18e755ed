import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleByKey } from '../../../../playground/service/data/roles.ts';
import {
  type ReferenceService,
  startReferenceService,
} from '../../../../playground/service/start-service.ts';
import { createWorkspace } from '../../../../playground/slack/workspace.ts';
import { firstOf, testNow } from '../call-portal.ts';

describe('the named users of the first portal', () => {
  let service: ReferenceService;
  const users = () => service.users(firstOf(service.portals).id);
  beforeAll(async () => {
    service = await startReferenceService({ now: testNow });
  });
  afterAll(() => service.close());

  it('include three whose name or e-mail address contains "ana"', () => {
    const found = users().filter((user) => /ana/i.test(`${user.full_name} ${user.email}`));
    expect(found.map((user) => user.full_name)).toEqual([
      'Ana Silva',
      'Joana Prado',
      'Mariana Costa',
    ]);
  });

  it('include one pair with the same name and different e-mail addresses', () => {
    const names = users().map((user) => user.full_name);
    const repeated = users().filter((user, at) => names.indexOf(user.full_name) !== at);
    expect(repeated.map((user) => user.full_name)).toEqual(['Kim Lee']);
    expect(new Set(users().map((user) => user.email)).size).toBe(240);
  });

  it('include names that need escaping', () => {
    const names = users().map((user) => user.full_name);
    expect(names.some((name) => name.includes('<!channel>'))).toBe(true);
    expect(names.some((name) => name.includes('&'))).toBe(true);
    expect(names.some((name) => /\p{Extended_Pictographic}/u.test(name))).toBe(true);
    expect(names.some((name) => /\p{Script=Hebrew}/u.test(name))).toBe(true);
    expect(names.some((name) => name.length === 300)).toBe(true);
  });

  it('include two enabled super administrators', () => {
    const admins = users().filter(({ access }) => access?.[0]?.roleId === roleByKey.superAdmin.id);
    expect(admins.map(({ id }) => id)).toEqual(['1', '161']);
    expect(admins.every((user) => user.is_enabled && user.is_confirmed)).toBe(true);
  });

  it('include the approver of the local Slack', () => {
    const addresses = new Set(createWorkspace().people.map(({ email }) => email.toLowerCase()));
    const both = users().filter(({ email }) => addresses.has(email.toLowerCase()));
    expect(both.map((user) => user.full_name)).toEqual(['Ben Carter']);
  });

  it('include users in every state, some without activity', () => {
    expect(users().filter((user) => !user.is_enabled).length).toBeGreaterThan(10);
    expect(users().filter((user) => !user.is_confirmed).length).toBeGreaterThan(10);
    expect(users().filter((user) => !user.last_activity_timestamp).length).toBeGreaterThan(10);
  });
});
