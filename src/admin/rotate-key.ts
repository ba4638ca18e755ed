import { listNextKeys, rotateSigningKey } from '../audit-log/rotate-key.ts';
import { systemClock } from '../clock.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { parseOperator } from './operator.ts';

/** Changes the key that signs the audit log to one that every process has already. */
export async function rotateKey({ values, config, stdout, db }: CommandCall): Promise<ExitCode> {
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
