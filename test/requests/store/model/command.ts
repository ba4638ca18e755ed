import fc from 'fast-check';
import { expect } from 'vitest';
import type { ApprovalRef } from '../../../../src/requests/approval.ts';
import type { ApprovalState } from '../../../../src/requests/approval-state.ts';
import type { ApprovalStore } from '../../../../src/requests/store/approval-store.ts';
import { apply, type Ballot, type Change, type Model, type ModelRow } from './model.ts';
import type { Real } from './real.ts';

export type Command = fc.AsyncCommand<Model, Real>;

export const names = ['first', 'second', 'third'] as const;
export const people = ['U_REQUESTER', 'U_BEN', 'U_CLEO', 'U_DAN'] as const;
export const name = fc.constantFrom(...names);
export const by = fc.constantFrom(...people);

/** The states that only enough approvals lead to. */
const mayRun = new Set<ApprovalState>([
  ...(['approved', 'running', 'scheduled', 'completed', 'canceled'] as const),
  ...(['failed', 'outcome_unknown'] as const),
]);

/**
 * Records that somebody tries to approve, whatever becomes of it: without looking at the rules, only at
 * who they are.
 */
export function cast(model: Model, on: string, { by: who, mailbox }: Ballot): void {
  if (model.rows.get(on)?.requester === who) return;
  model.ballots.set(on, (model.ballots.get(on) ?? new Set()).add(mailbox));
}

/** A command that runs on the model and on the store, and then compares their rows and logs. */
export function command(
  title: string,
  changesState: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return {
    check: changesState,
    async run(model, real) {
      await run(model, real);
      expect(await real.rows()).toEqual(shownOf(model));
      expect(await real.log()).toEqual(model.log);
      for (const [key, { state, required }] of model.rows) {
        const ballots = model.ballots.get(key)?.size ?? 0;
        if (mayRun.has(state)) expect(ballots).toBeGreaterThanOrEqual(required);
      }
    },
    toString: () => title,
  };
}

function shownOf({ rows }: Model) {
  return new Map(
    [...rows].map(([key, row]) => {
      const { state, step, attempts, sent, version, decidedBy, canceledBy, wakeAt, isPlaced } = row;
      const shown = { state, step, attempts, sent, version, decidedBy, canceledBy };
      const votes = row.votes.map((vote) => vote.by);
      return [key, { ...shown, wakeAt, isPlaced, votes }];
    }),
  );
}

/** A command for a call that changes one request if `rule` allows it, and returns whether it did. */
export function change(
  title: string,
  on: string,
  rule: (row: ModelRow, now: number) => Change,
  call: (store: ApprovalStore, ref: ApprovalRef, at: Date, row?: ModelRow) => Promise<unknown>,
): Command {
  const expectedChange = ({ rows, now }: Model) => {
    const row = rows.get(on);
    return row && rule(row, now);
  };
  const changesState = (model: Readonly<Model>) => expectedChange(model) !== undefined;
  return command(`${title} ${on}`, changesState, async (model, { store, refOf }) => {
    const result = await call(store, refOf(on), new Date(model.now), model.rows.get(on));
    expect(Boolean(result), title).toBe(apply(model, on, expectedChange(model)));
  });
}
