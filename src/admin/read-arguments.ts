import { parseArgs } from 'node:util';
import { UsageError } from './usage.ts';

const options = {
  help: { type: 'boolean', short: 'h' },
  team: { type: 'string' },
  checkpoints: { type: 'string', multiple: true },
  'no-checkpoints': { type: 'boolean' },
  checkpoint: { type: 'string', multiple: true },
  format: { type: 'string' },
  entry: { type: 'string', multiple: true },
} as const;

/** @throws {UsageError} for an option that nothing takes. */
export function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'not understood');
  }
}

export type OptionValues = ReturnType<typeof readArguments>['values'];
