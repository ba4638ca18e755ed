import type { Person } from '../../slack/api/person.ts';
import { type Message, notice } from '../../slack/ui/blocks.ts';
import { type ChangeRights, readMayChange, whoMayChange } from '../workspaces/index.ts';
import type { Digest, DigestRef } from './digest.ts';
import type { DigestStore } from './store/digest-store.ts';
import { goneMessage } from './views/digest-list-message.ts';

/** The digest if it exists and the person may change and end it, else the answer for the person. */
export async function findChangeableDigest(
  ref: DigestRef,
  person: Person,
  dependencies: ChangeRights & { store: Pick<DigestStore, 'find'> },
): Promise<{ digest: Digest } | { refusal: Message }> {
  const digest = await dependencies.store.find(ref);
  if (!digest) return { refusal: goneMessage };
  const mayChange = await readMayChange(ref.teamId, person, dependencies);
  if (mayChange(digest)) return { digest };
  return { refusal: notice(`${whoMayChange('digest')} Nothing was changed.`) };
}
