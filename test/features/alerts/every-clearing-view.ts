import { RequestRejectedError } from '../../../src/dataprotection/http/errors.ts';
import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { describeCause } from '../../../src/describe-failure.ts';
import type { AlertSearch } from '../../../src/features/alerts/alert-search.ts';
import { clearingMessage } from '../../../src/features/alerts/views/clearing-message.ts';
import {
  clearAllModal,
  clearAllProblemModal,
} from '../../../src/features/alerts/views/clearing-modal.ts';
import { channelId, people, sampleNow } from '../sample-place.ts';

const id = '00000000-0000-4000-8000-000000000001';

/** Every form and message about clearing many alerts at once. */
export function everyClearingView(
  alerts: Alert[],
  { search, word, typed }: { search: AlertSearch; word: string; typed: string },
): Record<string, unknown[]> {
  const clearing = {
    id,
    teamId: 'T1',
    connectionId: id,
    originId: id,
    search,
    createdBy: people.ben,
    confirmedAt: sampleNow,
    channelId,
    postedAt: sampleNow,
  };
  const refused = new RequestRejectedError('rejected', {
    request: 'PATCH /alerts',
    mayHaveActed: false,
    serviceMessage: typed,
  });
  const none = { cleared: 0, already_cleared: 0, not_found: 0, not_cleared: 0, unknown_outcome: 0 };
  const progress = { total: 37, notesMissing: 0, left: 0, causes: [] };
  const many = Array.from({ length: 37 }, () => alerts).flat();
  return {
    clearAllModal: [alerts, many].map((shown) =>
      clearAllModal(shown, search, { clearingId: id, channelId, now: sampleNow }),
    ),
    clearAllProblemModal: [
      ...(['none', 'incomplete', 'unsupported'] as const).map(clearAllProblemModal),
      clearAllProblemModal({ count: 137, max: 100 }),
    ],
    clearingMessage: [
      clearingMessage(
        { ...clearing, note: undefined },
        { ...progress, results: { ...none, cleared: 12 }, left: 25 },
      ),
      clearingMessage(
        { ...clearing, note: word },
        { ...progress, results: { ...none, cleared: 37 } },
      ),
      clearingMessage(
        { ...clearing, note: word },
        {
          ...progress,
          results: {
            cleared: 30,
            already_cleared: 3,
            not_found: 1,
            not_cleared: 2,
            unknown_outcome: 1,
          },
          notesMissing: 4,
          causes: [{ detail: describeCause(refused), count: 3 }],
        },
      ),
    ],
  };
}
