import fc from 'fast-check';
import { expect } from 'vitest';
import { hashMailbox } from '../../../../src/requests/guards.ts';
import { decideAs } from '../rows.ts';
import { by, cast, change, command, name, names, people } from './command.ts';
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
import { addressOf } from './people.ts';

const action = 'users.delete';
const unknownUser = { fullName: null, isEnabled: true, isConfirmed: null, roles: null };
const emailOf = (id: string) => `${id}@example.com`;

/** A request from a form, which can submit once, about one of two users. */
export const create = fc
  .record({
    name,
    isStale: fc.constantFrom(true, ...Array(9).fill(false)),
    required: fc.constantFrom(1, 1, 2, 2, 3),
  })
  .map((given) =>
    command(
      `create ${given.name} for ${given.required}${given.isStale ? ' on a connection that is not in use' : ''}`,
      ({ rows }) => !given.isStale && !rows.has(given.name),
      async ({ now, rows, log, ballots }, real) => {
        const place = names.indexOf(given.name);
        const who = { requester: people[place % 2] ?? '', subjectId: `u-${place % 2}` };
        const times = {
          requestedAt: new Date(now),
          postBy: new Date(now + 2 * minute),
          expiresAt: new Date(now + lifetime),
        };
        const id = who.subjectId;
        const readable = { payload: { id }, snapshot: { ...unknownUser, id, email: emailOf(id) } };
        const input = { action, ...who, ...times, ...readable, requiredApprovals: given.required };
        const created = await real.create(given.name, input, given.isStale);
        if (given.isStale) return expect(created).toBe('connection_replaced');
        if (rows.has(given.name)) return expect(created).toBe('requested-before');
        rows.set(given.name, newRow({ ...who, required: given.required }, now));
        ballots.delete(given.name);
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

const hashOf = (id: string, mailbox: string) =>
  hashMailbox(
    { id },
    {
      ...({ slackUserId: '', isAdmin: false } as const),
      membership: 'member',
      email: addressOf(mailbox),
    },
  );

export const approve = fc
  .record({ name, by, mailbox: by, max: fc.constantFrom(1, 2) })
  .map((given) =>
    command(
      `approve ${given.name} by ${given.by} with the mailbox of ${given.mailbox}, at most ${given.max}`,
      ({ rows, now }) =>
        rules.decide(rows.get(given.name), { ...given, to: 'approved' }, now) !== undefined,
      async (model, { store, refOf }) => {
        const { now } = model;
        const ref = refOf(given.name);
        const row = model.rows.get(given.name);
        const expectedChange = rules.decide(row, { ...given, to: 'approved' }, now);
        const isReached = rules.isLast(row) && othersWithinTheHour(model, given.name) >= given.max;
        const limit = { max: given.max, actions: [action], since: new Date(now - hour) };
        const mailboxHash = hashOf(ref.id, given.mailbox);
        const decision = { to: 'approved', by: given.by, mailboxHash, at: new Date(now) } as const;
        cast(model, given.name, given);
        const result = await decideAs(store, { ...ref, ...decision, limit });
        if (expectedChange && isReached) return expect(result).toBe('limit_reached');
        const isApplied = apply(model, given.name, expectedChange);
        expect(result !== undefined && result !== 'already_approved').toBe(isApplied);
      },
    ),
  );

/** Every person tries to approve with a mailbox that counted already: none of it may count. */
export const approveAgain = name.map((on) =>
  command(
    `approve ${on} again with the same mailboxes`,
    ({ rows }) => rows.get(on)?.state === 'pending' && rows.get(on)?.votes.length !== 0,
    async (model, { store, refOf }) => {
      const ref = refOf(on);
      for (const { mailbox } of model.rows.get(on)?.votes ?? []) {
        for (const who of people) {
          const by = { by: who, mailboxHash: hashOf(ref.id, mailbox) };
          const made = { ...ref, ...by, to: 'approved', at: new Date(model.now) } as const;
          expect([undefined, 'already_approved']).toContain(await decideAs(store, made));
        }
      }
    },
  ),
);

export const decide = fc
  .record({ name, by, to: fc.constantFrom('denied', 'withdrawn') })
  .map((given) =>
    change(
      `${given.to} by ${given.by}:`,
      given.name,
      (row, now) => rules.decide(row, { ...given, mailbox: given.by }, now),
      (store, ref, at) =>
        store.decide({ ...ref, to: given.to, by: given.by, mailboxHash: given.by, at }),
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
