import type { ChainHead, ChainRow } from '../../src/audit-log/read-chain.ts';

/** One team's log in memory, to change like an attacker with access to the database. */
export type LogCopy = { head: ChainHead | undefined; rows: ChainRow[]; orphanTexts: number[] };

/** An integer from 0 to `end` - 1. */
export type Pick = (end: number) => number;

type Tampering = (log: LogCopy, pick: Pick) => void;

function one<T>(list: T[], pick: Pick): T {
  const chosen = list[pick(list.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}

const aHash = (pick: Pick) =>
  pick(2 ** 32)
    .toString(16)
    .padStart(64, '0');
const other = (text: string | null, pick: Pick) =>
  text !== null && pick(3) === 0 ? null : `${text ?? ''}${pick(10)}`;

const columnChanges: ((row: ChainRow, pick: Pick) => void)[] = [
  (row, pick) => (row.team_id = `T${pick(1000)}`),
  (row, pick) => (row.seq += 1000 + pick(1000)),
  (row, pick) => (row.at = new Date(row.at.getTime() + 1 + pick(10_000))),
  (row) => (row.event = row.event === 'denied' ? 'approved' : 'denied'),
  (row, pick) => (row.actor = other(row.actor, pick)),
  (row, pick) => (row.approval_id = other(row.approval_id, pick)),
  (row, pick) => (row.action = other(row.action, pick)),
  (row, pick) => (row.subject_id = other(row.subject_id, pick)),
  (row) => (row.facts = row.facts.replace('{', '{ ')),
  (row, pick) => (row.facts = JSON.stringify({ ...JSON.parse(row.facts), number: 99 + pick(99) })),
  (row, pick) => (row.personal_digest = row.personal_digest && pick(2) === 0 ? null : aHash(pick)),
  (row, pick) => (row.key_id = aHash(pick).slice(-16)),
  (row, pick) => (row.previous_hash = aHash(pick)),
  (row, pick) => (row.hash = aHash(pick)),
];

const headChanges: ((head: ChainHead, pick: Pick) => void)[] = [
  (head, pick) => (head.chain_id = `${head.chain_id.slice(1)}${pick(10)}`),
  (head, pick) => (head.seq += 1 + pick(10)),
  (head, pick) => (head.seq -= 1 + pick(head.seq)),
  (head, pick) => (head.hash = aHash(pick)),
  (head, pick) => (head.announced_seq = head.seq + 1 + pick(10)),
];

/** One of the entries that have a text. */
const withText = ({ rows }: LogCopy) => rows.filter(({ personal }) => personal);

function moveHeadToLast({ head, rows }: LogCopy): void {
  const last = rows.at(-1);
  if (head && last) Object.assign(head, { seq: last.seq, hash: last.hash });
}

/** Renumbers every entry after the change, so that there is no gap. */
function renumber({ rows }: LogCopy): void {
  for (const [index, row] of rows.entries()) row.seq = index + 1;
}

function cutTail(log: LogCopy, pick: Pick): void {
  log.rows.splice(1 + pick(log.rows.length - 1));
}

export const tamperings: Record<string, Tampering> = {
  'change a column': ({ rows }, pick) => one(columnChanges, pick)(one(rows, pick), pick),
  'remove an entry': ({ rows }, pick) => void rows.splice(pick(rows.length), 1),
  'remove an entry and close the gap': (log, pick) => {
    log.rows.splice(pick(log.rows.length), 1);
    renumber(log);
    moveHeadToLast(log);
  },
  'insert a forged entry': (log, pick) => {
    const at = pick(log.rows.length + 1);
    const before = log.rows[at - 1];
    const forged = { ...one(log.rows, pick), hash: aHash(pick), personal: undefined };
    log.rows.splice(at, 0, { ...forged, previous_hash: before?.hash ?? aHash(pick) });
    renumber(log);
    moveHeadToLast(log);
  },
  'insert an entry twice': (log, pick) => {
    const at = pick(log.rows.length);
    log.rows.splice(at, 0, { ...one(log.rows.slice(at, at + 1), pick) });
    renumber(log);
    moveHeadToLast(log);
  },
  'put an old entry at the end': (log, pick) => {
    const { seq } = log.rows.at(-1) ?? { seq: 0 };
    log.rows.push({ ...one(log.rows, pick), seq: seq + 1 });
    moveHeadToLast(log);
  },
  'swap two entries': (log, pick) => {
    const first = pick(log.rows.length - 1);
    const second = first + 1 + pick(log.rows.length - 1 - first);
    const [a, b] = [log.rows[first], log.rows[second]];
    if (!a || !b) throw new Error('no two entries');
    log.rows[first] = b;
    log.rows[second] = a;
    renumber(log);
    moveHeadToLast(log);
  },
  'cut the end': cutTail,
  'cut the end and move the head': (log, pick) => {
    cutTail(log, pick);
    moveHeadToLast(log);
  },
  'remove all entries': (log) => void log.rows.splice(0),
  'remove everything': (log) => {
    log.rows = [];
    log.head = undefined;
  },
  'change the head': ({ head }, pick) => head && one(headChanges, pick)(head, pick),
  'remove the head': (log) => {
    log.head = undefined;
  },
  'change personal text': (log, pick) => {
    const row = one(withText(log), pick);
    const { salt = '', text = '' } = row.personal ?? {};
    row.personal =
      pick(2) === 0
        ? { salt, text: text.replace('left', `le${pick(9)}`) }
        : { salt: `${salt}=`, text };
  },
  'exchange two personal texts': (log, pick) => {
    const rows = withText(log);
    const at = pick(rows.length - 1);
    const [a, b] = [rows[at], rows[at + 1]];
    if (a && b) [a.personal, b.personal] = [b.personal, a.personal];
  },
  'remove personal text': (log, pick) => {
    one(withText(log), pick).personal = undefined;
  },
  'add personal text': (log, pick) => {
    const row = one(
      log.rows.filter(({ personal }) => !personal),
      pick,
    );
    row.personal = { salt: aHash(pick), text: '{"reason":"because"}' };
  },
  'add personal text of no entry': (log, pick) => {
    log.orphanTexts.push(1000 + pick(1000));
  },
};
