import type { ApprovalState, EndState } from '../../../../src/requests/approval-state.ts';

/** The fields that are compared with the stored row, and those that the rules need. */
export type ModelRow = {
  state: ApprovalState;
  step: string;
  attempts: number;
  version: number;
  /** How many people have to approve, and who did, with the mailbox of their click. */
  required: number;
  votes: Ballot[];
  decidedBy: string | undefined;
  canceledBy: string | undefined;
  wakeAt: number | undefined;
  isPlaced: boolean;
  /** The attempts that may have sent their change. */
  sent: { step: string; attempt: number }[];
  holder: string | undefined;
  requester: string;
  subjectId: string;
  decidedAt: number | undefined;
  expiresAt: number;
};

/** Whose mailbox an e-mail address leads to; null if Slack doesn't show it. */
export type Address = { mailbox: string; isTagged: boolean } | null;

/** A workspace: its requests by form name, the addresses of its people, the expected audit log. */
export type Model = {
  now: number;
  rows: Map<string, ModelRow>;
  addresses: Map<string, Address>;
  /** Mailboxes of everybody but the requester who tried to approve, by form name. */
  ballots: Map<string, Set<string>>;
  log: string[];
};

export type Ballot = { by: string; mailbox: string };

type Clicked = { by: string; approvers: string[] };

/** `logs` is the logged event; undefined if the state does not change. */
export type Change = { logs?: string; actor?: string; set: Partial<ModelRow> } | undefined;

export const minute = 60_000;
export const hour = 60 * minute;
export const lifetime = 8 * hour;
export const lease = minute;
export const grace = 30 * minute;
export const pause = 5000;

export type Out = EndState | 'scheduled';

const isOpen = (row: ModelRow, now: number) => row.state === 'pending' && now < row.expiresAt;
const isDue = ({ wakeAt }: ModelRow, now: number) => wakeAt !== undefined && wakeAt <= now;

function ended(to: Out, now: number): Change {
  if (to === 'scheduled') {
    return { logs: to, set: { state: to, step: 'delete', attempts: 0, wakeAt: now + grace } };
  }
  const wakeAt = to === 'outcome_unknown' ? now + pause : undefined;
  return { logs: to, set: { state: to, wakeAt } };
}

export function newRow(
  who: Pick<ModelRow, 'requester' | 'subjectId' | 'required'>,
  now: number,
): ModelRow {
  const times = { wakeAt: now + 2 * minute, decidedAt: undefined, expiresAt: now + lifetime };
  const nobody = { decidedBy: undefined, canceledBy: undefined, holder: undefined };
  const start = { state: 'pending', step: 'disable', attempts: 0, version: 0 } as const;
  return { ...who, ...times, ...nobody, ...start, isPlaced: false, sent: [], votes: [] };
}

/** The state machine: when a call changes a request, what it changes, and what it logs. */
export const rules = {
  decide(
    row: ModelRow | undefined,
    { by, mailbox, to }: Ballot & { to: 'approved' | 'denied' | 'withdrawn' },
    now: number,
    counts: (vote: Ballot) => boolean = () => true,
  ): Change {
    if (!row || !isOpen(row, now) || (row.requester === by) !== (to === 'withdrawn'))
      return undefined;
    const made = { state: to, decidedBy: by, decidedAt: now };
    if (to !== 'approved') return { logs: to, actor: by, set: { ...made, wakeAt: undefined } };
    if (row.votes.some((vote) => vote.by === by || vote.mailbox === mailbox)) return undefined;
    const votes = [...row.votes, { by, mailbox }];
    const isLast = row.votes.filter(counts).length + 1 >= row.required;
    return { logs: to, actor: by, set: { votes, ...(isLast && { ...made, wakeAt: now }) } };
  },

  /** Whether one more approval would decide. */
  isLast: (row: ModelRow | undefined) => row !== undefined && row.votes.length + 1 >= row.required,

  /** A decision by somebody who may make it, with the addresses that Slack shows now. */
  click(
    row: ModelRow,
    { to, by, approvers }: Clicked & { to: 'approved' | 'denied' | 'withdrawn' },
    { addresses, now }: Model,
  ): Change {
    const [own, requesters] = [addresses.get(by), addresses.get(row.requester)];
    if (own?.mailbox === row.subjectId) return undefined;
    // An approval counts while its voter could still give it.
    const counts = (vote: Ballot) => {
      const mailbox = addresses.get(vote.by)?.mailbox;
      const isElsewhere = mailbox !== requesters?.mailbox && mailbox !== row.subjectId;
      return approvers.includes(vote.by) && mailbox !== undefined && isElsewhere;
    };
    const decide = () => rules.decide(row, { to, by, mailbox: own?.mailbox ?? '' }, now, counts);
    if (to === 'withdrawn') return decide();
    if (!approvers.includes(by) || !own || !requesters) return undefined;
    if (own.mailbox === requesters.mailbox) return undefined;
    const isSame = (voter: string) =>
      (addresses.get(voter)?.mailbox ?? own.mailbox) === own.mailbox;
    return to === 'approved' && row.votes.some((vote) => isSame(vote.by)) ? undefined : decide();
  },

  /** For the safe side: needs no address, and may be done by the requester. */
  clickCancel(row: ModelRow, { by, approvers }: Clicked, { addresses, now }: Model): Change {
    if (addresses.get(by)?.mailbox === row.subjectId) return undefined;
    return row.requester === by || approvers.includes(by) ? rules.cancel(row, by, now) : undefined;
  },

  place({ state, expiresAt, wakeAt }: ModelRow): Change {
    return { set: { isPlaced: true, wakeAt: state === 'pending' ? expiresAt : wakeAt } };
  },

  cancel(row: ModelRow, by: string, now: number): Change {
    if (row.state !== 'scheduled' || isDue(row, now)) return undefined;
    const set = {
      state: 'approved',
      step: 'cancel',
      attempts: 0,
      canceledBy: by,
      wakeAt: now,
    } as const;
    return { logs: 'cancellation_requested', actor: by, set };
  },

  begin(row: ModelRow, holder: string, now: number): Change {
    if (!['approved', 'scheduled', 'outcome_unknown'].includes(row.state)) return undefined;
    if (!isDue(row, now)) return undefined;
    const attempts = row.attempts + 1;
    return { logs: 'started', set: { state: 'running', holder, attempts, wakeAt: now + lease } };
  },

  /** A lease that ended is lost, even if no other process has it yet. */
  renew(row: ModelRow, holder: string, now: number): Change {
    if (row.state !== 'running' || row.holder !== holder || isDue(row, now)) return undefined;
    return { set: { wakeAt: now + lease } };
  },

  markSent(row: ModelRow, holder: string, now: number): Change {
    const { step, attempts: attempt } = row;
    const renewed = rules.renew(row, holder, now);
    return renewed && { set: { ...renewed.set, sent: [...row.sent, { step, attempt }] } };
  },

  finish(row: ModelRow, holder: string, to: Out, now: number): Change {
    if (!['running', 'outcome_unknown'].includes(row.state)) return undefined;
    return row.holder === holder ? ended(to, now) : undefined;
  },

  markOutcomeUnknown(row: ModelRow, now: number): Change {
    return row.state === 'running' && isDue(row, now) ? ended('outcome_unknown', now) : undefined;
  },

  /** `isStale`: the row has changed since the service was read. */
  settle(row: ModelRow, { to, isStale }: { to: Out; isStale: boolean }, now: number): Change {
    return row.state === 'outcome_unknown' && !isStale ? ended(to, now) : undefined;
  },

  giveUp({ state, wakeAt }: ModelRow, { isStale }: { isStale: boolean }): Change {
    if (state !== 'outcome_unknown' || wakeAt === undefined || isStale) return undefined;
    return { logs: 'outcome_unknown', set: { wakeAt: undefined } };
  },

  expire(row: ModelRow, now: number): Change {
    if (row.state !== 'pending' || now < row.expiresAt) return undefined;
    return { logs: 'expired', set: { state: 'expired', wakeAt: undefined } };
  },

  isUnposted: (row: ModelRow | undefined) => row?.state === 'pending' && !row.isPlaced,

  voidUnposted(row: ModelRow): Change {
    if (!rules.isUnposted(row)) return undefined;
    return { logs: 'voided', set: { state: 'voided', wakeAt: undefined } };
  },

  voidWaiting(row: ModelRow | undefined, by: string): Change {
    if (!row || !['pending', 'scheduled'].includes(row.state)) return undefined;
    return { logs: 'voided', actor: by, set: { state: 'voided', wakeAt: undefined } };
  },
};

/** Applies the change to the model. Each logged change increments the version. */
export function apply(model: Model, name: string, change: Change): boolean {
  const row = model.rows.get(name);
  if (!row || !change) return false;
  const { logs, actor, set } = change;
  Object.assign(row, set, logs ? { version: row.version + 1 } : {});
  if (logs) model.log.push(logLine(logs, name, actor));
  return true;
}

export function logLine(event: string, name: string, actor: string | null = null): string {
  return `${event} ${name} ${actor ?? 'belay'}`;
}

/** The number of other subjects that count toward the limit of the last hour. */
export function othersWithinTheHour({ rows, now }: Model, name: string): number {
  const isCounted = ({ state, decidedAt = 0 }: ModelRow) =>
    !['pending', 'denied', 'withdrawn', 'expired'].includes(state) && decidedAt > now - hour;
  const subjects = [...rows.values()].filter(isCounted).map(({ subjectId }) => subjectId);
  return new Set(subjects.filter((one) => one !== rows.get(name)?.subjectId)).size;
}
