import type { Writable } from 'node:stream';
import { readAdminConfig } from '../config.ts';
import type { Command, ExitCode } from './command.ts';
import { eraseAudit } from './erase-audit.ts';
import { exportAudit } from './export-audit.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import { type OptionValues, readArguments } from './read-arguments.ts';
import { UsageError, usage } from './usage.ts';
import { verifyAudit } from './verify-audit.ts';

const commands: Record<string, Command> = {
  'audit verify': {
    run: verifyAudit,
    takes: ['team', 'checkpoints', 'no-checkpoints', 'checkpoint'],
  },
  'audit export': { run: exportAudit, takes: ['team', 'format'] },
  'audit erase': { run: eraseAudit, takes: ['team', 'entry'] },
};

export type Surroundings = {
  env: Record<string, string | undefined>;
  stdout: Writable;
  stderr: Writable;
  /** Opens what `DATABASE_URL` names. */
  openDatabase?: typeof openExistingDatabase;
};

/** Runs what was typed; whatever goes wrong is one line for the operator. */
export async function runAdmin(args: string[], around: Surroundings): Promise<ExitCode> {
  try {
    const { positionals, values } = readArguments(args);
    if (values.help) {
      around.stdout.write(usage);
      return 0;
    }
    return await runCommand(positionals.join(' '), values, around);
  } catch (error) {
    const [line] = (error instanceof Error ? error.message : String(error)).split('\n');
    around.stderr.write(`${line}\n${error instanceof UsageError ? `\n${usage}` : ''}`);
    return 2;
  }
}

async function runCommand(
  typed: string,
  values: OptionValues,
  { env, stdout, openDatabase = openExistingDatabase }: Surroundings,
): Promise<ExitCode> {
  const command = commands[typed];
  if (!command) throw new UsageError(typed ? `There is no “${typed}”.` : 'What shall be done?');
  const known: string[] = command.takes;
  const stranger = Object.keys(values).find((name) => !known.includes(name));
  if (stranger) throw new UsageError(`“${typed}” takes no --${stranger}.`);

  const config = readAdminConfig(env);
  const { db, close } = await openDatabase(config.databaseUrl);
  try {
    return await command.run({ values, config, stdout, db });
  } finally {
    await close();
  }
}
