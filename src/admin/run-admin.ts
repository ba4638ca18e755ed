import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { readAdminConfig } from '../config.ts';
import { DirectoryInUseError } from '../database/embedded/directory-lock.ts';
import { connectDatabase, type OpenDatabase, openDatabase } from '../database/open-database.ts';
import { changeSettings } from './change-settings.ts';
import {
  type Command,
  type ExitCode,
  type OptionValues,
  readArguments,
  UsageError,
  usage,
} from './command.ts';
import { applyConfiguration, exportConfigurationFile, planConfiguration } from './configuration.ts';
import { doctor } from './doctor.ts';
import { eraseAudit } from './erase-audit.ts';
import { exportAudit } from './export-audit.ts';
import { migrateDatabase } from './migrate-database.ts';
import { exportAll, importAll } from './move-data.ts';
import { rotateKey } from './rotate-key.ts';
import { verifyAudit } from './verify-audit.ts';

const commands: Record<string, Command> = {
  'audit verify': {
    run: verifyAudit,
    allowedOptions: ['team', 'checkpoints', 'no-checkpoints', 'checkpoint'],
  },
  'audit export': { run: exportAudit, allowedOptions: ['team', 'format'] },
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
  try {
    const { positionals, values } = readArguments(args);
    if (values.help) {
      context.stdout.write(usage);
      return 0;
    }
    return await runCommand(positionals, values, context);
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    context.stderr.write(`${line}\n${error instanceof UsageError ? `\n${usage}` : ''}`);
    // 2 means differences there.
    return args[0] === 'config' ? 1 : 2;
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
  const { db, shared, close } = await open(config.databaseUrl);
  try {
    return await command.run({ values, config, env, stdout, file, db, shared });
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
