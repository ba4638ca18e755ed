import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import type { Mute } from '../../../src/features/watches/mutes/mute.ts';
import { muteModal } from '../../../src/features/watches/views/mute-form.ts';
import {
  heldAlertsMessage,
  muteChangeMessage,
  muteEndedMessage,
  muteListMessage,
  quietEndedMessage,
} from '../../../src/features/watches/views/mute-messages.ts';
import type { Watch } from '../../../src/features/watches/watch.ts';
import { sampleNow as now, people } from '../sample-place.ts';

/** Every message and form of mutes and quiet hours, in the channel of the watch. */
export function everyMuteView(
  watch: Watch,
  { reason, alerts }: { reason: string; alerts: Alert[] },
): Record<string, unknown[]> {
  const { id, teamId, originId, channelId, search } = watch;
  const mute: Mute = {
    id,
    teamId,
    originId,
    channelId,
    search,
    reason,
    endsAt: now,
    createdBy: people.ana,
    createdAt: now,
    pausedReason: undefined,
  };
  const kept = { ...mute, endsAt: undefined };
  const none = { bySeverity: [], activeCount: 0, since: undefined };
  const some = {
    bySeverity: [
      { severity: 'notice', count: 1 },
      { severity: 'warning', count: 12 },
      { severity: '', count: 1 },
    ],
    activeCount: 4,
    since: now,
  };
  const one = { bySeverity: [{ severity: 'warning', count: 1 }], activeCount: 0, since: now };
  const shown = { findConnection: () => undefined, held: new Map([[id, 3]]) };
  const metadata = { channelId, timeZone: 'Europe/Berlin' };
  return {
    muteModal: [
      muteModal(metadata, { search, ends: 'tomorrow 9:00' }, builtInValues),
      muteModal({ ...metadata, muteId: id }, { search, ends: '', reason }, builtInValues),
      muteModal({ ...metadata, isKept: true }, { search, ends: '', reason }, builtInValues),
    ],
    muteChangeMessage: [mute, kept].flatMap((of) =>
      (['added', 'changed'] as const).map((change) => muteChangeMessage(of, change, people.ben)),
    ),
    muteEndedMessage: [none, one, some].flatMap((counts) =>
      [undefined, people.ben].map((by) => muteEndedMessage(mute, counts, by)),
    ),
    quietEndedMessage: [one, some].map((counts) => quietEndedMessage(watch, counts, now)),
    muteListMessage: [true, false].flatMap((mayChange) =>
      [[], [mute, kept]].map((mutes) => muteListMessage(channelId, mutes, { ...shown, mayChange })),
    ),
    heldAlertsMessage: [
      heldAlertsMessage([], { count: 0, channelId }),
      heldAlertsMessage(alerts, { count: alerts.length + 5, channelId }),
    ],
  };
}
