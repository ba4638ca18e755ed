import type { Person } from '../../slack/api/person.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { type ChangeRights, readMayChange, whoMayChange } from '../workspaces/index.ts';
import type { Digest } from './digest.ts';
import type { DigestRef, DigestStore } from './digest-store.ts';
import { goneMessage } from './views/digest-list-message.ts';

/** The digest, if it is there and this person may change and end it; else what the person is told. */
export async function findChangeable(
  ref: DigestRef,
  person: Person,
  dependencies: ChangeRights & { store: Pick<DigestStore, 'find'> },
): Promise<{ digest: Digest } | { refusal: Message }> {
  const digest = await dependencies.store.find(ref);
  if (!digest) return { refusal: goneMessage };
  const mayChange = await readMayChange(ref.teamId, person, dependencies);
  return mayChange(digest) ? { digest } : { refusal: notYoursMessage };
}

const notYoursMessage: Message = notice(`${whoMayChange('digest')} Nothing was changed.`);
