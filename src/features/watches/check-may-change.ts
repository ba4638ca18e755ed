import type { Person } from '../../slack/api/person.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { type ChangeRights, readMayChange, whoMayChange } from '../workspaces/index.ts';
import { goneMessage } from './views/watch-notices.ts';

/** The watch that was looked up if this person may change it, else the answer for the person. */
export async function checkMayChange<Found extends { createdBy: string }>(
  watch: Found | undefined,
  { teamId, person }: { teamId: string; person: Person },
  rights: ChangeRights,
): Promise<{ watch: Found } | { refusal: Message }> {
  if (!watch) return { refusal: goneMessage };
  const mayChange = await readMayChange(teamId, person, rights);
  return mayChange(watch)
    ? { watch }
    : { refusal: notice(`${whoMayChange('watch')} Nothing was changed.`) };
}
