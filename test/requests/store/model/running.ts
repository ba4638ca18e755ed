import fc from 'fast-check';
import { by, change, command, name } from './command.ts';
import { grace, lease, type ModelRow, minute, type Out, pause, rules } from './model.ts';

const holder = fc.constantFrom('one', 'one', 'two');
const to = fc.constantFrom<Out>(
  ...(['completed', 'canceled', 'failed', 'voided', 'outcome_unknown', 'scheduled'] as const),
  // More often those after which the request continues.
  ...(['outcome_unknown', 'scheduled', 'scheduled'] as const),
);

export const cancel = fc.record({ name, by }).map((given) =>
  change(
    `cancel by ${given.by}:`,
    given.name,
    (row, now) => rules.cancel(row, given.by, now),
    (store, { teamId, id }, at) =>
      store.cancelScheduled({ teamId, id, by: given.by, firstStep: 'disable', step: 'cancel', at }),
  ),
);

const leaseOf = (one: string, at: Date) => ({ holder: one, until: new Date(at.getTime() + lease) });

export const begin = fc.record({ name, holder }).map((given) =>
  change(
    `begin as ${given.holder}:`,
    given.name,
    (row, now) => rules.begin(row, given.holder, now),
    (store, ref, at) => store.begin({ ...ref, lease: leaseOf(given.holder, at), at }),
  ),
);

export const renew = fc.record({ name, holder }).map((given) =>
  change(
    `renew as ${given.holder}:`,
    given.name,
    (row, now) => rules.renew(row, given.holder, now),
    (store, ref, at) => store.renewLease({ ...ref, lease: leaseOf(given.holder, at), at }),
  ),
);

export const markSent = fc.record({ name, holder }).map((given) =>
  change(
    `mark sent as ${given.holder}:`,
    given.name,
    (row, now) => rules.markSent(row, given.holder, now),
    (store, ref, at) => store.markSent({ ...ref, lease: leaseOf(given.holder, at), at }),
  ),
);

function ending(out: Out, at: Date) {
  const common = { outcome: 'The outcome.', at };
  const later = (ms: number) => new Date(at.getTime() + ms);
  if (out === 'scheduled') return { ...common, to: out, step: 'delete', wakeAt: later(grace) };
  return { ...common, to: out, ...(out === 'outcome_unknown' && { wakeAt: later(pause) }) };
}

export const finish = fc.record({ name, holder, to }).map((given) =>
  change(
    `finish ${given.to} as ${given.holder}:`,
    given.name,
    (row, now) => rules.finish(row, given.holder, given.to, now),
    (store, ref, at) => store.finish({ ...ref, ...ending(given.to, at), holder: given.holder }),
  ),
);

const isStale = fc.nat({ max: 9 }).map((roll) => roll === 0);

/** A run counts its changes from the approval that decides. */
const seenBy = (given: { isStale: boolean }, row: ModelRow | undefined) =>
  row ? row.version - (row.votes.length - 1) - (given.isStale ? 1 : 0) : 0;

export const settle = fc.record({ name, to, isStale }).map((given) =>
  change(
    `settle ${given.to}${given.isStale ? ' too late' : ''}:`,
    given.name,
    (row, now) => rules.settle(row, given, now),
    (store, ref, at, row) =>
      store.settle({ ...ref, ...ending(given.to, at), seenVersion: seenBy(given, row) }),
  ),
);

export const markOutcomeUnknown = name.map((on) =>
  change('mark outcome unknown', on, rules.markOutcomeUnknown, (store, ref, at) =>
    store.markOutcomeUnknown({
      ...ref,
      ...ending('outcome_unknown', at),
      wakeAt: new Date(at.getTime() + pause),
    }),
  ),
);

export const rescheduleCheck = fc.record({ name, isStale }).map((given) =>
  command(
    `reschedule check${given.isStale ? ' too late' : ''} ${given.name}`,
    ({ rows }) => rows.get(given.name)?.state === 'outcome_unknown',
    async (model, real) => {
      const wakeAt = model.now + minute;
      const row = model.rows.get(given.name);
      const seenVersion = seenBy(given, row);
      const ref = real.refOf(given.name);
      await real.store.rescheduleCheck({ ...ref, seenVersion, wakeAt: new Date(wakeAt) });
      const isChecked = row?.state === 'outcome_unknown' && row.wakeAt !== undefined;
      if (isChecked && !given.isStale) row.wakeAt = wakeAt;
    },
  ),
);

export const giveUp = fc.record({ name, isStale }).map((given) =>
  change(
    `give up${given.isStale ? ' too late' : ''}`,
    given.name,
    (row) => rules.giveUp(row, given),
    (store, ref, at, row) => store.giveUp({ ...ref, seenVersion: seenBy(given, row), at }),
  ),
);
