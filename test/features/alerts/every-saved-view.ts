import type { AlertSearch, SavedFilter } from '../../../src/features/alerts/alert-search.ts';
import {
  deletedMessage,
  formatCopied,
  formatSaved,
  formatUsed,
  savedListMessage,
} from '../../../src/features/alerts/views/saved-filter-messages.ts';
import { channelId, people, sampleNow } from '../sample-place.ts';

/** Every message about saved filters. */
export function everySavedView(search: AlertSearch): Record<string, unknown[]> {
  const saved = (owner: string, name: string) => savedBy(owner, name, search);
  const [own, ofChannel] = [saved(people.ana, 'morning'), saved(channelId, 'team')];
  const many = Array.from({ length: 25 }, (_, index) => saved(people.ana, `f-${index}`));
  const all = { start: 10, mayDelete: () => true };
  return {
    savedListMessage: [
      savedListMessage([], all),
      savedListMessage([own, ofChannel], { start: 0, mayDelete: (one) => one === own }),
      savedListMessage(many, all),
    ],
    deletedMessage: [own, ofChannel].map(deletedMessage),
  };
}

/** What a list can say above it. */
export function savedNotes(search: AlertSearch): string[] {
  const own = savedBy(people.ana, 'morning', search);
  const ofChannel = savedBy(channelId, 'team', search);
  return [
    ...[formatSaved(own, undefined), formatSaved(ofChannel, own)],
    ...[formatUsed(own, true), formatUsed(ofChannel, false), formatCopied(own)],
  ];
}

function savedBy(owner: string, name: string, search: AlertSearch): SavedFilter {
  return { owner, name, search, createdBy: people.ana, createdAt: sampleNow };
}
