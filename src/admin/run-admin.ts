import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { createAppendEntry } from '../audit-log/append.ts';
import { erasePersonalText, type OnErased } from '../audit-log/erase-personal-text.ts';
import { listNextKeys, rotateSigningKey } from '../audit-log/rotate-key.ts';
import { systemClock } from '../clock.ts';
import { readAdminConfig } from '../config.ts';
import { DirectoryInUseError } from '../database/embedded/directory-lock.ts';
import { migrate } from '../database/migrate.ts';
import { connectDatabase, type OpenDatabase, openDatabase } from '../database/open-database.ts';
import { grantRestricted } from '../database/restricted-role.ts';
import type { Database } from '../database/tables.ts';
import { exportDatabase } from '../database/transfer/export-database.ts';
import type { Summary } from '../database/transfer/file-format.ts';
import { importDatabase } from '../database/transfer/import-database.ts';
import { approvableActions } from '../features/actions/index.ts';
import { createEraseRequests } from '../requests/store/erase-requests.ts';
import { eraseSetupChanges } from '../workspace/store/drop-changes.ts';
import { changeSettings } from './change-settings.ts';
import {
  type Command,
  type CommandCall,
  type ExitCode,
  type OptionValues,
  readArguments,
  UsageError,
  usage,
} from './command.ts';
import { applyConfiguration, exportConfigurationFile, planConfiguration } from './configuration.ts';
import { doctor } from './doctor.ts';
import { exportAudit } from './export-audit.ts';
import { exportDrills } from './export-drills.ts';
import { parseOperator } from './operator.ts';
import { selectTeams } from './select-teams.ts';
import { checkReadable, verifyAudit } from './verify-audit.ts';

const commands: Record<string, Command> = {
  'audit verify': {
    run: verifyAudit,
    allowedOptions: ['team', 'checkpoints', 'no-checkpoints', 'checkpoint'],
  },
  'audit export': { run: exportAudit, allowedOptions: ['team', 'format'] },
  'drills export': { run: exportDrills, allowedOptions: ['team'] },
  'settings set': {
    run: changeSettings,
    allowedOptions: ['team', 'approvers', 'approvals-channel', 'by'],
  },
  'audit erase': { run: eraseAudit, allowedOptions: ['team', 'entry', 'by'] },
  'audit rotate-key': { run: rotateKey, allowedOptions: ['by', 'to', 'lost-key'] },
  doctor: { run: doctor, allowedOptions: ['team'] },
  export: {
    run: exportAll,
    allowedOptions: [],
    takesFile: true,
    open: (url) => openExistingDatabase(url, connectDatabase),
  },
  import: {
    run: importAll,
    allowedOptions: ['checkpoints', 'no-checkpoints'],
    takesFile: true,
    open: (url) => openUnused(url, connectDatabase),
  },
  'config export': { run: exportConfigurationFile, allowedOptions: ['team'], takesFile: true },
  'config plan': { run: planConfiguration, allowedOptions: ['team'], takesFile: true },
  'config apply': {
    run: applyConfiguration,
    allowedOptions: ['team', 'by', 'requested-by', 'reason'],
    takesFile: true,
  },
  migrate: { run: migrateDatabase, allowedOptions: ['grant-to', 'contract'] },
};

/** For looking up what was typed: the object also has `constructor`. */
const commandsByName = new Map(Object.entries(commands));

export type ProcessContext = {
  env: Record<string, string | undefined>;
  stdout: Writable;
  stderr: Writable;
  /** Opens what `DATABASE_URL` names. */
  openDatabase?: typeof openExistingDatabase;
};

/**
 * Runs the command line `args`. Every failure is one line on stderr, followed by the usage if it is about
 * the command line itself, and exit code 2, or 1 of `config`.
 */
export async function runAdmin(args: string[], context: ProcessContext): Promise<ExitCode> {
  let isConfig = args.includes('config');
  try {
    const { positionals, values } = readArguments(args);
    isConfig = positionals[0] === 'config';
    if (values.help) {
      context.stdout.write(usage);
      return 0;
    }
    return await runCommand(positionals, values, context);
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    context.stderr.write(`${line}\n${error instanceof UsageError ? `\n${usage}` : ''}`);
    // 2 means differences there.
    return isConfig ? 1 : 2;
  }
}

async function runCommand(
  positionals: string[],
  values: OptionValues,
  { env, stdout, openDatabase }: ProcessContext,
): Promise<ExitCode> {
  const words = [1, 2].find(
    (count) => commandsByName.get(positionals.slice(0, count).join(' '))?.takesFile,
  );
  const typed = positionals.slice(0, words).join(' ');
  const file = words === undefined ? '' : positionals.slice(words).join(' ');
  const command = commandsByName.get(typed);
  if (!command) throw new UsageError(typed ? `Unknown command "${typed}".` : 'Add a command.');
  if (command.takesFile && !file) throw new UsageError(`Add the name of a file: ${typed} FILE.`);
  const known: string[] = command.allowedOptions;
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown) throw new UsageError(`The command "${typed}" has no option --${unknown}.`);

  const config = readAdminConfig(env);
  const open = openDatabase ?? command.open ?? openExistingDatabase;
  const { db, isEmbedded, close } = await open(config.databaseUrl);
  try {
    return await command.run({ values, config, env, stdout, file, db, isEmbedded });
  } finally {
    await close();
  }
}

/**
 * Opens Belay's database; a folder that does not exist is an error, not created.
 * @throws with one line for the operator.
 */
export async function openExistingDatabase(
  url: string,
  open: (url: string) => Promise<OpenDatabase> = openDatabase,
): Promise<OpenDatabase> {
  const folder = folderOf(url);
  if (folder !== undefined && !existsSync(folder)) {
    throw new Error(`DATABASE_URL: the folder ${folder} doesn't exist.`);
  }
  return openUnused(url, open);
}

async function openUnused(
  url: string,
  open: (url: string) => Promise<OpenDatabase>,
): Promise<OpenDatabase> {
  try {
    return await open(url);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof DirectoryInUseError) {
      throw new Error(
        `Belay is using ${folderOf(url)}, and only one process can: stop Belay, run this command again, and start Belay.`,
        { cause: error },
      );
    }
    throw error;
  }
}

function folderOf(url: string): string | undefined {
  return /^pglite:(.*)/.exec(url)?.[1];
}

/**
 * Brings the database up to date, which opening it has done; with `--contract` the second step of the
 * upgrade too. Then Belay can run with a role that may not: `--grant-to` names it.
 */
async function migrateDatabase(call: CommandCall): Promise<ExitCode> {
  const { values, db, isEmbedded, stdout } = call;
  const role = values['grant-to'];
  if (role !== undefined && isEmbedded) {
    throw new Error('--grant-to works only with PostgreSQL: the embedded database has no roles.');
  }
  if (values.contract) await migrate(db, { contract: true });
  stdout.write('The database is up to date.\n');
  if (role === undefined) return 0;
  await grantRestricted(db, role);
  stdout.write(`The role ${role} can run Belay. It can't change the audit log or the schema.\n`);
  return 0;
}

/** Writes everything that Belay stores to a new file. */
async function exportAll({ db, file, stdout }: CommandCall): Promise<ExitCode> {
  const tables = await exportDatabase(db, { path: file, at: systemClock() });
  stdout.write(`Exported ${describe(tables)} to ${file}.\n`);
  return 0;
}

/**
 * Fills a new database from such a file, then verifies the audit log. A log that was broken before is
 * imported as it is: the exit code is 1, as for `audit verify`, and also if it can't be verified.
 */
async function importAll(call: CommandCall): Promise<ExitCode> {
  const { db, file, stdout, values, config } = call;
  const { checkpointFile } = config;
  const named = values['no-checkpoints'] ? [] : values.checkpoints;
  const isMissing = named === undefined && !(await mayExist(checkpointFile));
  const paths = isMissing ? [] : (named ?? [checkpointFile]);
  // Before anything is imported, because a database that isn't empty can't be imported into again.
  for (const path of paths) await checkReadable(path);
  const tables = await importDatabase(db, file);
  stdout.write(`Imported ${describe(tables)} from ${file}.\n`);
  if (isMissing)
    stdout.write(
      `The checkpoint file ${checkpointFile} doesn't exist. Verifying the log without checkpoints.\n`,
    );
  try {
    return await verifyAudit({ ...call, values: { ...values, checkpoints: paths } });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    stdout.write(`Imported, but the audit log could not be verified: ${why}\n`);
    return 1;
  }
}

/** True also for a file that this user can't reach. */
function mayExist(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT',
  );
}

function describe(tables: Summary['tables']): string {
  const summaries = Object.values(tables);
  const rows = summaries.reduce((total, summary) => total + summary.rows, 0);
  return `${rows} rows of ${summaries.length} tables`;
}

/** Changes the key that signs the audit log to one that every process has already. */
async function rotateKey({ values, config, stdout, db }: CommandCall): Promise<ExitCode> {
  const by = parseOperator(values.by);
  const { encryptionKeys } = config;
  const to = values.to ?? chooseKey(await listNextKeys(db, encryptionKeys));
  const at = systemClock();
  const lostKey = values['lost-key'];
  const rotations = await rotateSigningKey(db, encryptionKeys, { to, at, by, lostKey });
  const lines = rotations.map(
    ({ teamId, from, seq, hash }) =>
      `Team ${teamId}: entry ${seq} changes the key from ${from} to ${to}. Checkpoint ${seq}:${hash.slice(0, 16)}.`,
  );
  const conclusion =
    rotations.length === 0
      ? `Nothing was changed: the key ${to} already signs every log.`
      : 'Store the checkpoints outside the database: they show where the old key ended.';
  stdout.write(`${[...lines, conclusion].join('\n')}\n`);
  return 0;
}

/** Never by the order of the keys, which says nothing about what other processes have. */
function chooseKey(candidates: string[]): string {
  const [only, ...others] = candidates;
  if (!only) {
    throw new Error(
      'BELAY_ENCRYPTION_KEYS has no new key: each key already signs the audit log or was retired. Add a new key to all processes first.',
    );
  }
  if (others.length > 0) {
    throw new Error(`Several keys are new. Choose one with --to: ${candidates.join(', ')}.`);
  }
  return only;
}

/** Erases the personal text of the entries that were named. */
async function eraseAudit({ values, config, stdout, db }: CommandCall): Promise<ExitCode> {
  const { team: teamId } = values;
  const entries = (values.entry ?? []).flatMap((list) => list.split(',')).map(entryNumber);
  if (!teamId || entries.length === 0) throw new Error('Add --team and at least one --entry.');
  const by = parseOperator(values.by);
  await selectTeams(db, teamId);
  const existing = await listEntries(db, teamId, entries);
  const missing = entries.find((seq) => !existing.has(seq));
  if (missing !== undefined) throw new Error(`Entry ${missing} doesn't exist. Nothing was erased.`);

  const append = createAppendEntry(config.encryptionKeys);
  const eraseRequests = createEraseRequests(approvableActions);
  const onErased: OnErased = async (trx, erased) => {
    await eraseRequests(trx, erased);
    await eraseSetupChanges(trx, erased);
  };
  const at = systemClock();
  const erased = await erasePersonalText({ db, append, onErased }, { teamId, entries, at, by });
  const without = entries.filter((seq) => !erased.includes(seq));
  const lines = [
    ...(erased.length > 0 ? [`Erased the personal text of entries: ${erased.join(', ')}.`] : []),
    ...(without.length > 0 ? [`Entries without personal text: ${without.join(', ')}.`] : []),
  ];
  stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

/** Those that exist, a text whose entry was removed included. */
async function listEntries(db: Database, teamId: string, entries: number[]): Promise<Set<number>> {
  const find = (table: 'audit_log' | 'audit_log_personal') =>
    db.selectFrom(table).select('seq').where('team_id', '=', teamId).where('seq', 'in', entries);
  const rows = await find('audit_log').union(find('audit_log_personal')).execute();
  return new Set(rows.map(({ seq }) => seq));
}

function entryNumber(typed: string): number {
  if (/^[1-9]\d{0,14}$/.test(typed.trim())) return Number(typed);
  throw new Error(`"${typed}" isn't the number of an entry.`);
}
