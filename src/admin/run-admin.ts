import { existsSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { readAdminConfig } from '../config.ts';
import { DirectoryInUseError } from '../database/embedded/directory-lock.ts';
import { type OpenDatabase, openDatabase } from '../database/open-database.ts';
import { changeSettings } from './change-settings.ts';
import {
  type Command,
  type ExitCode,
  type OptionValues,
  readArguments,
  UsageError,
  usage,
} from './command.ts';
import { doctor } from './doctor.ts';
import { eraseAudit } from './erase-audit.ts';
import { exportAudit } from './export-audit.ts';
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
    allowedOptions: ['team', 'approvers', 'approvals-channel'],
  },
  'audit erase': { run: eraseAudit, allowedOptions: ['team', 'entry', 'by'] },
  'audit rotate-key': { run: rotateKey, allowedOptions: ['by', 'to', 'lost-key'] },
  doctor: { run: doctor, allowedOptions: ['team'] },
};

export type ProcessContext = {
  env: Record<string, string | undefined>;
  stdout: Writable;
  stderr: Writable;
  /** Opens what `DATABASE_URL` names. */
  openDatabase?: typeof openExistingDatabase;
};

/** Runs the command line `args`. Every failure is one line on stderr, and exit code 2. */
export async function runAdmin(args: string[], context: ProcessContext): Promise<ExitCode> {
  try {
    const { positionals, values } = readArguments(args);
    if (values.help) {
      context.stdout.write(usage);
      return 0;
    }
    return await runCommand(positionals.join(' '), values, context);
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    context.stderr.write(`${line}\n${error instanceof UsageError ? `\n${usage}` : ''}`);
    return 2;
  }
}

async function runCommand(
  typed: string,
  values: OptionValues,
  { env, stdout, openDatabase: open = openExistingDatabase }: ProcessContext,
): Promise<ExitCode> {
  const command = commands[typed];
  if (!command) throw new UsageError(typed ? `There is no “${typed}”.` : 'What shall be done?');
  const known: string[] = command.allowedOptions;
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown) throw new UsageError(`“${typed}” takes no --${unknown}.`);

  const config = readAdminConfig(env);
  const { db, close } = await open(config.databaseUrl);
  try {
    return await command.run({ values, config, env, stdout, db });
  } finally {
    await close();
  }
}

/**
 * Opens Belay's database; a folder that does not exist is an error, not created.
 * @throws with one line for the operator.
 */
export async function openExistingDatabase(url: string): Promise<OpenDatabase> {
  const folder = /^pglite:(.*)/.exec(url)?.[1];
  if (folder !== undefined && !existsSync(folder)) {
    throw new Error(`DATABASE_URL: there is no folder ${folder}.`);
  }
  try {
    return await openDatabase(url);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof DirectoryInUseError) {
      throw new Error(
        `Belay is running on ${folder}, which takes one process at a time: stop Belay, run this again, and start Belay.`,
        { cause: error },
      );
    }
    throw error;
  }
}
