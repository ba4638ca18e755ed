import fc from 'fast-check';
import { expect } from 'vitest';
import { by, change, command, name, names, people } from './command.ts';
import {
  apply,
  hour,
  lifetime,
  logLine,
  minute,
  newRow,
  othersWithinTheHour,
  rules,
} from './model.ts';

const action = 'users.delete';
const unknownUser = { fullName: null, isEnabled: true, isConfirmed: null, roles: null };
const emailOf = (id: string) => `${id}@example.com`;

/** A request from a form, which can submit once, about one of two users. */
export const create = fc
  .record({ name, isStale: fc.constantFrom(true, ...Array(9).fill(false)) })
  .map((given) =>
    command(
      `create ${given.name}${given.isStale ? ' on a connection that is not in use' : ''}`,
      ({ rows }) => !given.isStale && !rows.has(given.name),
      async ({ now, rows, log }, real) => {
        const place = names.indexOf(given.name);
        const who = { requester: people[place % 2] ?? '', subjectId: `u-${place % 2}` };
        const times = {
          requestedAt: new Date(now),
          postBy: new Date(now + 2 * minute),
          expiresAt: new Date(now + lifetime),
        };
        const id = who.subjectId;
        const readable = { payload: { id }, snapshot: { ...unknownUser, id, email: emailOf(id) } };
        const input = { action, ...who, ...times, ...readable };
        const created = await real.create(given.name, input, given.isStale);
        if (given.isStale) return expect(created).toBe('connection-replaced');
        if (rows.has(given.name)) return expect(created).toBe('requested-before');
        rows.set(given.name, newRow(who, now));
        log.push(logLine('requested', given.name, who.requester));
      },
    ),
  );

export const place = name.map((on) =>
  command(
    `place ${on}`,
    ({ rows }) => rows.get(on)?.isPlaced === false,
    async (model, { store, refOf }) => {
      const placed = store.recordMessage({ ...refOf(on), channelId: 'C1', messageTs: '1.000001' });
      const row = model.rows.get(on);
      if (!row) return expect(placed).rejects.toThrow();
      await placed;
      apply(model, on, rules.place(row));
    },
  ),
);

export const discard = name.map((on) =>
  command(
    `discard ${on}`,
    ({ rows }) => rules.isUnposted(rows.get(on)),
    async (model, { store, refOf }) => {
      await store.discard({ ...refOf(on), at: new Date(model.now) });
      if (!rules.isUnposted(model.rows.get(on))) return;
      model.rows.delete(on);
      model.log.push(logLine('not_posted', on));
    },
  ),
);

export const approve = fc.record({ name, by, max: fc.constantFrom(1, 2) }).map((given) =>
  command(
    `approve ${given.name} by ${given.by}, at most ${given.max}`,
    ({ rows, now }) => rules.decide(rows.get(given.name), 'approved', given.by, now) !== undefined,
    async (model, { store, refOf }) => {
      const { now } = model;
      const limit = { max: given.max, actions: [action], since: new Date(now - hour) };
      const decision = { to: 'approved', by: given.by, at: new Date(now), limit } as const;
      const isReached = othersWithinTheHour(model, given.name) >= given.max;
      const result = await store.decide({ ...refOf(given.name), ...decision });
      if (isReached) return expect(result).toBe('limit-reached');
      const expectedChange = rules.decide(model.rows.get(given.name), 'approved', given.by, now);
      expect(result !== undefined).toBe(apply(model, given.name, expectedChange));
    },
  ),
);

export const decide = fc
  .record({ name, by, to: fc.constantFrom('denied', 'withdrawn') })
  .map((given) =>
    change(
      `${given.to} by ${given.by}:`,
      given.name,
      (row, now) => rules.decide(row, given.to, given.by, now),
      (store, ref, at) => store.decide({ ...ref, to: given.to, by: given.by, at }),
    ),
  );

export const expire = name.map((on) =>
  change('expire', on, rules.expire, (store, ref, at) => store.expire({ ...ref, at })),
);

export const voidUnposted = name.map((on) =>
  change('void unposted', on, rules.voidUnposted, (store, ref, at) =>
    store.voidUnposted({ ...ref, at, outcome: 'It could not be posted in time.' }),
  ),
);

export const changeConnection = by.map((who) =>
  command(
    `change the connection, by ${who}`,
    ({ rows }) => [...rows.values()].some((row) => rules.voidWaiting(row, who)),
    async (model, real) => {
      const voided = await real.replaceConnection(who, new Date(model.now));
      const waiting = [...model.rows].filter(([, row]) => rules.voidWaiting(row, who));
      expect(voided.toSorted()).toEqual(waiting.map(([key]) => key).toSorted());
      // The order among several requests does not matter.
      for (const key of voided) apply(model, key, rules.voidWaiting(model.rows.get(key), who));
    },
  ),
);
