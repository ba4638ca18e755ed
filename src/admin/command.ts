import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { AdminConfig } from '../config.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import type { Database } from '../database/tables.ts';

/**
 * 0: all is well; 1: the audit log is broken, or doctor found a problem; 2: the command could not be run.
 * The `config` commands return 1 if they could not be run, and 2 for differences that remain.
 */
export type ExitCode = 0 | 1 | 2;

export type CommandCall = {
  values: OptionValues;
  config: AdminConfig;
  env: Record<string, string | undefined>;
  db: Database;
  isEmbedded: boolean;
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
  contract: { type: 'boolean' },
  'requested-by': { type: 'string' },
  reason: { type: 'string' },
} as const;

export type OptionValues = ReturnType<typeof readArguments>['values'];

/** @throws {UsageError} for an unknown option. */
export function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The command line is invalid.');
  }
}

/** The command line has an unknown command or option, or lacks the file; shown with the usage. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `Usage: npm run -s admin -- <command>

  audit verify    Verify that the audit log is unchanged, or report the first break
    --checkpoints FILE        Checkpoint file, instead of BELAY_CHECKPOINT_FILE; repeatable
    --no-checkpoints          Verify without a file; entries cut off at the end aren't noticed
    --checkpoint SEQ:HASH     Checkpoint as posted in Slack; repeatable
    --team TEAM               Workspace of that checkpoint

  audit export    Write the audit log to standard output
    --format jsonl|csv        Format (default: jsonl)
    --team TEAM               Export this workspace only

  drills export   Write the results of restore drills to standard output, as CSV
    --team TEAM               Export this workspace only

  audit erase     Erase the personal text of entries; the entries stay, and the log records the erasure
    --team TEAM --entry N[,N] Workspace and numbers of the entries
    --by WHO                  Your Slack member ID or your name, for the log

  audit rotate-key  Change the key that signs the log, once every process has both keys
    --by WHO                  Your Slack member ID or your name, for the log
    --to KEY                  ID of the new key, if there are several
    --lost-key                The old key is lost; every later verification reports this change

  export FILE     Write everything that Belay stores to a new file; stop Belay first
  import FILE     Fill a new database from such a file and verify the audit log
    --checkpoints FILE, --no-checkpoints   As for audit verify

  migrate         Update the database schema
    --contract                Remove what only the previous version needs; it can't run on this database afterward
    --grant-to ROLE           Grant this PostgreSQL role exactly what Belay needs to run

  doctor          Check the database, the service and, if there is a bot token, Slack
    --team TEAM               Workspace, if there are several

  settings set    Set approvers or approvals channel without approval, if approvers are locked out
    --team TEAM               Workspace
    --approvers U1,U2|admins  Slack member IDs of the approvers
    --approvals-channel C1|none   ID of the approvals channel
    --by WHO                  Your Slack member ID or your name, for the log

  config export FILE  Write the configuration of workspaces to a YAML file, without tokens; - for standard output
    --team TEAM               This workspace only

  config plan FILE    Show what applying the file would change, without changing anything
    --team TEAM               This workspace of the file only

  config apply FILE   Apply the file: all of it or nothing
    --team TEAM               This workspace of the file only
    --by WHO                  Your Slack member ID, for the log
    --requested-by WHO        Slack member ID of the admin who requests approval, if the change requires it
    --reason TEXT             Reason of that request

Exit codes: 0 success, 1 the audit log is broken or doctor found a problem, 2 the command didn't run.
Exit codes of config: 0 no differences, or applied; 1 the command didn't run and changed nothing;
2 there are differences, or they're waiting for approval.
`;
