import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { defaultSearch } from '../../../src/features/alerts/index.ts';
import { builtInValues } from '../../../src/features/alerts/known-values.ts';
import type { Mute } from '../../../src/features/watches/mutes/mute.ts';
import { muteModal } from '../../../src/features/watches/views/mute-form.ts';
import {
  heldAlertsMessage,
  muteChangeMessage,
  muteEndedMessage,
  muteListMessage,
  muteNarrowedMessage,
  quietEndedMessage,
} from '../../../src/features/watches/views/mute-messages.ts';
import type { Watch } from '../../../src/features/watches/watch.ts';
import { sampleNow as now, people, channelId as sampleChannelId } from '../sample-place.ts';

export function sampleMute(reason: string): Mute {
  return {
    id: '6f1a4c1e-3d5b-4a57-9a0c-0d7d6f0b8c11',
    teamId: 'T1',
    originId: '0b9d6a52-64a8-4c0e-8a51-5a1f3c2f7e10',
    channelId: sampleChannelId,
    search: { ...defaultSearch, severities: ['notice', 'warning'], types: ['policy_violated'] },
    reason,
    endsAt: now,
    createdBy: people.ana,
    createdAt: now,
    pausedReason: undefined,
  };
}

/** Every message and form of mutes and quiet hours, in the channel of the watch. */
export function everyMuteView(
  watch: Watch,
  { reason, alerts }: { reason: string; alerts: Alert[] },
): Record<string, unknown[]> {
  const { search, channelId } = watch;
  const mute: Mute = { ...sampleMute(reason), search, channelId };
  const { id } = mute;
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
  const shown = { channelId, findConnection: () => undefined, held: new Map([[id, 3]]) };
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
    quietEndedMessage: [one, some, { ...some, activeCount: undefined }].flatMap((counts) =>
      [true, false].map((isEdit) => quietEndedMessage(watch, counts, { isEdit, now })),
    ),
    muteNarrowedMessage: [one, some].map((counts) => muteNarrowedMessage(mute, counts)),
    muteListMessage: [true, false].flatMap((mayChange) =>
      [[], [mute, kept]].map((mutes) => muteListMessage({ ...shown, mutes, mayChange })),
    ),
    heldAlertsMessage: [
      heldAlertsMessage([], { count: 0, channelId }),
      heldAlertsMessage(alerts, { count: alerts.length + 5, channelId }),
    ],
  };
}
