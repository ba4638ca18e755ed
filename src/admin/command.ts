import type { Writable } from 'node:stream';
import type { AdminConfig } from '../config.ts';
import type { Database } from '../database/open-database.ts';
import type { OptionValues } from './read-arguments.ts';

/** 0: all is well; 1: the log is broken; 2: it could not be looked at. */
export type ExitCode = 0 | 1 | 2;

export type CommandCall = {
  values: OptionValues;
  config: AdminConfig;
  db: Database;
  stdout: Writable;
};

export type Command = {
  run: (call: CommandCall) => Promise<ExitCode>;
  takes: (keyof OptionValues)[];
};
