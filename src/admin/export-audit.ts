import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ChainRow } from '../audit-log/read-chain.ts';
import { readRows } from '../audit-log/read-chain.ts';
import type { Database } from '../database/tables.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { selectTeams } from './select-teams.ts';

/** Writes the log line by line, oldest first, team by team, in constant memory. */
export async function exportAudit({ values, stdout, db }: CommandCall): Promise<ExitCode> {
  const { format = 'jsonl', team } = values;
  const render = new Map(Object.entries(formats)).get(format);
  if (!render) throw new Error(`Unknown format "${format}". Use jsonl or csv.`);
  await writeLines(stdout, render(readTeams(db, await selectTeams(db, team))));
  return 0;
}

type Entry = ReturnType<typeof toEntry>;

const formats: Record<string, (entries: AsyncIterable<Entry>) => AsyncIterable<string>> = {
  async *jsonl(entries) {
    for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
  },
  async *csv(entries) {
    yield csvLine(columns);
    for await (const entry of entries) yield csvLine(columns.map((name) => entry[name]));
  },
};

const columns = [
  'teamId',
  'seq',
  'at',
  'event',
  'actor',
  'approvalId',
  'action',
  'subjectId',
  'facts',
  'personal',
  'isErased',
  'personalDigest',
  'keyId',
  'previousHash',
  'hash',
] as const;

async function* readTeams(db: Database, teams: string[]): AsyncGenerator<Entry> {
  for (const teamId of teams) {
    for await (const row of readRows(db, teamId)) yield toEntry(row);
  }
}

function toEntry(row: ChainRow) {
  const facts: unknown = JSON.parse(row.facts);
  const personal: unknown = row.personal ? JSON.parse(row.personal.text) : null;
  return {
    teamId: row.team_id,
    seq: row.seq,
    at: row.at.toISOString(),
    event: row.event,
    actor: row.actor,
    approvalId: row.approval_id,
    action: row.action,
    subjectId: row.subject_id,
    facts,
    personal,
    isErased: row.personal_digest !== null && !row.personal,
    personalDigest: row.personal_digest,
    keyId: row.key_id,
    previousHash: row.previous_hash,
    hash: row.hash,
  };
}

/** Until the reader closes the pipe. */
export async function writeLines(out: Writable, lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(lines), out, { end: false });
  } catch (error) {
    // The reader has closed the pipe, as `… | head` does.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return;
    throw error;
  }
}

/** One line of CSV (RFC 4180); objects are written as JSON. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: unknown): string {
  const text = escapeFormula(toText(value));
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A spreadsheet would run a text that starts like this as a formula. */
function escapeFormula(text: string): string {
  return /^\s*[=+\-@＝＋－＠]/.test(text) && !/^-?\d+$/.test(text) ? `'${text}` : text;
}
