import fc from 'fast-check';
import { expect } from 'vitest';
import { cancelScheduled } from '../../../../src/requests/cancel-change.ts';
import { decideApproval } from '../../../../src/requests/decide-approval.ts';
import type { Person } from '../../../../src/slack/api/person.ts';
import { defaultAccess, defaultSettings } from '../../../../src/workspace/settings/document.ts';
import { contextWith } from '../../context-with.ts';
import { by, cast, command, name, people } from './command.ts';
import { type Address, apply, type Change, type Model, type ModelRow, rules } from './model.ts';
import type { Real } from './real.ts';

/** The others may only request. */
const approvers = ['U_BEN', 'U_CLEO', 'U_DAN'];
const clicks = ['approved', 'denied', 'withdrawn', 'canceled'] as const;
type Click = { by: string; to: (typeof clicks)[number] };
const everyClick = people.flatMap((who) => clicks.map((to): Click => ({ by: who, to })));

/** Somebody's own address more often than another's, a user's, or none. */
const address = fc.option(
  fc.record({
    mailbox: fc.constantFrom('own', 'own', 'own', ...people, 'u-0', 'u-1'),
    isTagged: fc.boolean(),
  }),
  { freq: 6 },
);

export const changeAddresses = fc
  .tuple(...people.map((who) => fc.tuple(fc.constant(who), address)))
  .map((given) => {
    const changed = given.map(([who, one]): [string, Address] => [
      who,
      one?.mailbox === 'own' ? { ...one, mailbox: who } : one,
    ]);
    return command(
      `the addresses are now ${JSON.stringify(changed)}`,
      ({ rows }) => [...rows.values()].some(isOpen),
      async (model) => {
        model.addresses = new Map(changed);
      },
    );
  });

/** A click that the rules allow. */
export const click = fc.record({ name, by, to: fc.constantFrom(...clicks) }).map((given) =>
  command(
    `click ${given.to} on ${given.name} by ${given.by}`,
    (model) => expectedOf(model, given.name, given) !== undefined,
    (model, real) => runClick(model, real, given.name, given),
  ),
);

/** All clicks that the rules refuse, one after the other: none may change anything. */
export const refusedClicks = name.map((on) =>
  command(
    `refused clicks on ${on}`,
    ({ rows }) => isOpen(rows.get(on)),
    async (model, real) => {
      for (const one of everyClick) {
        if (!expectedOf(model, on, one)) await runClick(model, real, on, one);
      }
    },
  ),
);

function isOpen(row: ModelRow | undefined): boolean {
  return row?.state === 'pending' || row?.state === 'scheduled';
}

function expectedOf(model: Model, on: string, { by: who, to }: Click): Change {
  const row = model.rows.get(on);
  const clicked = { by: who, approvers };
  if (!row) return undefined;
  return to === 'canceled'
    ? rules.clickCancel(row, clicked, model)
    : rules.click(row, { ...clicked, to }, model);
}

async function runClick(model: Model, real: Real, on: string, { by: who, to }: Click) {
  const expected = expectedOf(model, on, { by: who, to });
  const { teamId, id: approvalId } = real.refOf(on);
  const input = { teamId, approvalId, person: personOf(who, model) };
  const context = contextOf(model, real);
  const mailboxes = [who, model.rows.get(on)?.requester ?? ''].map(
    (one) => model.addresses.get(one)?.mailbox,
  );
  const [mailbox, requesters] = mailboxes;
  if (to === 'approved' && mailbox && requesters && mailbox !== requesters) {
    cast(model, on, { by: who, mailbox });
  }
  const hasChanged =
    to === 'canceled'
      ? (await cancelScheduled(input, context)).result === 'canceled'
      : (await decideApproval({ ...input, to }, context)).result === 'decided';
  expect(hasChanged, `${to} by ${who}`).toBe(expected !== undefined);
  apply(model, on, expected);
}

function contextOf(model: Model, { store }: Real) {
  return contextWith({
    store,
    readSettings: async () => ({
      ...defaultSettings,
      approvers,
      approvalsChannel: undefined,
      usersPerHour: 1000,
      access: defaultAccess,
    }),
    openPeople: () => async (slackUserId: string) => personOf(slackUserId, model),
    clock: () => new Date(model.now),
  });
}

/** An address that leads to this mailbox. */
export function addressOf(mailbox: string, tag = ''): string {
  return `${mailbox}${tag}@Example.com`;
}

function personOf(slackUserId: string, { addresses }: Model): Person {
  const known = addresses.get(slackUserId);
  const email = known ? addressOf(known.mailbox, known.isTagged ? '+tag' : '') : undefined;
  return { slackUserId, isAdmin: false, membership: 'member', email };
}
