import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { AdminConfig } from '../config.ts';
import type { Database, OpenDatabase } from '../database/open-database.ts';

/** 0: all is well; 1: the audit log is broken, or doctor found a problem; 2: the command could not be run. */
export type ExitCode = 0 | 1 | 2;

export type CommandCall = {
  values: OptionValues;
  config: AdminConfig;
  env: Record<string, string | undefined>;
  db: Database;
  shared: OpenDatabase['shared'];
  stdout: Writable;
  /** The file that the command line names, if the command takes one. */
  file: string;
};

export type Command = {
  run: (call: CommandCall) => Promise<ExitCode>;
  /** The options it accepts. */
  allowedOptions: (keyof OptionValues)[];
  takesFile?: boolean;
  /** How it opens the database; `openExistingDatabase` unless said otherwise. */
  open?: (url: string) => Promise<OpenDatabase>;
};

const options = {
  help: { type: 'boolean', short: 'h' },
  team: { type: 'string' },
  checkpoints: { type: 'string', multiple: true },
  'no-checkpoints': { type: 'boolean' },
  checkpoint: { type: 'string', multiple: true },
  format: { type: 'string' },
  entry: { type: 'string', multiple: true },
  approvers: { type: 'string' },
  'approvals-channel': { type: 'string' },
  by: { type: 'string' },
  to: { type: 'string' },
  'lost-key': { type: 'boolean' },
  'grant-to': { type: 'string' },
} as const;

export type OptionValues = ReturnType<typeof readArguments>['values'];

/** @throws {UsageError} for an unknown option. */
export function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'not understood');
  }
}

/** The command line is wrong; shown with the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `Usage: npm run -s admin -- <command>

  audit verify    verifies that the audit log is unchanged, or names the first break
    --checkpoints FILE        file of checkpoints, in place of BELAY_CHECKPOINT_FILE; may be repeated
    --no-checkpoints          without a file: an end that was cut off is then not found
    --checkpoint SEQ:HASH     a checkpoint as posted in Slack; may be repeated
    --team TEAM               whose checkpoint that is

  audit export    writes the log to standard output
    --format jsonl|csv        jsonl unless said otherwise
    --team TEAM               only this workspace

  audit erase     erases the personal text of entries; the entries stay, and the log says so
    --team TEAM --entry N[,N]
    --by WHO                  your Slack member ID or your name, for the log

  audit rotate-key  changes the key that signs the log, once every process has both keys
    --by WHO                  your Slack member ID or your name, for the log
    --to KEY                  the id of the new key, if there are several
    --lost-key                the old key is lost; verification will always report this change

  export FILE     writes everything that Belay stores to a new file; stop Belay first
  import FILE     fills a new database from such a file, and verifies the audit log
    --checkpoints FILE, --no-checkpoints   as for audit verify

  migrate         brings the database up to date; for PostgreSQL with a role of its own for Belay
    --grant-to ROLE           gives that role what Belay needs to run, and no more

  doctor          checks the database, the service and, with SLACK_BOT_TOKEN, Slack
    --team TEAM               which workspace, if there are several

  settings set    sets the approvers without a second person's approval, if they are locked out
    --team TEAM
    --approvers U1,U2|admins  Slack member IDs
    --approvals-channel C1|none
    --by WHO                  your Slack member ID or your name, for the log

Exit code: 0 when all is well, 1 when the log is broken or doctor found a problem, 2 when it could
not be looked at.
`;
