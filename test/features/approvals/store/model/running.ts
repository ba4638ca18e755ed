import fc from 'fast-check';
import { by, change, command, name } from './command.ts';
import { grace, lease, minute, type Out, pause, rules } from './model.ts';

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
    (store, ref, at) => store.cancelScheduled({ ...ref, by: given.by, step: 'cancel', at }),
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

export const settle = fc.record({ name, to, isStale }).map((given) =>
  change(
    `settle ${given.to}${given.isStale ? ' too late' : ''}:`,
    given.name,
    (row, now) => rules.settle(row, given, now),
    (store, ref, at, row) => {
      const version = (row?.version ?? 0) - (given.isStale ? 1 : 0);
      return store.settle({ ...ref, ...ending(given.to, at), version });
    },
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

export const rescheduleCheck = name.map((on) =>
  command(
    `reschedule check ${on}`,
    ({ rows }) => rows.get(on)?.state === 'outcome_unknown',
    async (model, real) => {
      const wakeAt = model.now + minute;
      await real.store.rescheduleCheck({ ...real.refOf(on), wakeAt: new Date(wakeAt) });
      const row = model.rows.get(on);
      if (row?.state === 'outcome_unknown') row.wakeAt = wakeAt;
    },
  ),
);

export const giveUp = name.map((on) =>
  change('give up', on, rules.giveUp, (store, ref, at) => store.giveUp({ ...ref, at })),
);
