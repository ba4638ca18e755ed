import { createAppendEntry } from '../audit-log/append.ts';
import { erasePersonalText, type OnErased } from '../audit-log/erase-personal-text.ts';
import { systemClock } from '../clock.ts';
import { createEraseRequests } from '../features/approvals/index.ts';
import { policyActions } from '../features/policies/index.ts';
import { setupActions } from '../features/setup/index.ts';
import { userActions } from '../features/users/index.ts';
import { eraseSetupChanges } from '../features/workspaces/index.ts';
import type { CommandCall, ExitCode } from './command.ts';
import { parseOperator } from './operator.ts';

/** Erases the personal text of the entries that were named. */
export async function eraseAudit({ values, config, stdout, db }: CommandCall): Promise<ExitCode> {
  const { team: teamId } = values;
  const entries = (values.entry ?? []).flatMap((list) => list.split(',')).map(entryNumber);
  if (!teamId || entries.length === 0) throw new Error('Add --team and at least one --entry.');
  const by = parseOperator(values.by);

  const append = createAppendEntry(config.encryptionKeys);
  const eraseRequests = createEraseRequests({ ...userActions, ...setupActions, ...policyActions });
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

function entryNumber(typed: string): number {
  if (/^[1-9]\d{0,14}$/.test(typed.trim())) return Number(typed);
  throw new Error(`"${typed}" isn't the number of an entry.`);
}
