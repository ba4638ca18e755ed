import type { Alert } from '../../../src/dataprotection/resources/alerts.ts';
import { defaultSearch } from '../../../src/features/alerts/alert-search.ts';
import {
  deskListMessage,
  deskMessage,
  homeDeskBlocks,
} from '../../../src/features/desk/views/desk-message.ts';
import { safe } from '../../../src/slack/ui/mrkdwn.ts';
import { sampleState } from '../alerts/every-state-view.ts';
import type { Samples } from '../samples.ts';
import { sampleMute } from '../watches/every-mute-view.ts';

/** The desk with alerts, without any, and without an answer of the service. */
export function everyDeskView(
  alert: Alert,
  { typed, problem }: Samples,
): Record<string, unknown[]> {
  const snoozed = { ...sampleState, title: typed.slice(0, 250) };
  const owned = { ...snoozed, snooze: undefined };
  const mute = sampleMute(typed.slice(0, 300));
  const mutes = {
    channelId: mute.channelId,
    mutes: Array(12).fill(mute),
    held: new Map([[mute.id, 3]]),
    findConnection: () => undefined,
    mayChange: true,
  };
  const search = {
    ...defaultSearch,
    sort: 'raised' as const,
    words: Array(12).fill(typed.slice(0, 100)),
  };
  const filter = { search, now: new Date(), isComplete: false };
  const many = { yours: Array(12).fill(owned), snoozed: Array(12).fill(snoozed), mutes, filter };
  const none = { yours: [], snoozed: [], mutes: undefined, filter: undefined };
  const originId = '00000000-0000-4000-8000-000000000001';
  const connections = [
    { originId, name: typed.slice(0, 100) },
    { originId: '00000000-0000-4000-8000-000000000002', name: 'Europe' },
  ];
  return {
    deskMessage: [
      deskMessage({ ...many, filter: undefined, unowned: { alerts: [alert], isComplete: true } }),
      deskMessage({ ...many, unowned: { alerts: Array(7).fill(alert), isComplete: false } }),
      deskMessage({ ...none, unowned: { alerts: [], isComplete: true } }),
      deskMessage({ ...none, unowned: { alerts: [], isComplete: false } }),
      deskMessage({ ...none, unowned: { problem: safe(problem, 300) } }),
    ],
    deskListMessage: [0, 10, 20].flatMap((start) =>
      (['yours', 'snoozed'] as const).map((list) => deskListMessage(many, { list, start })),
    ),
    homeDeskBlocks: [[], connections.slice(0, 1), connections].map((given) => ({
      type: 'home',
      blocks: homeDeskBlocks(given, new Map([[originId, { yours: 1, snoozed: 2 }]])),
    })),
  };
}
