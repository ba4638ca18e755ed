import type { Clock } from '../../clock.ts';
import type { Logger } from '../../logger.ts';
import type { OpenService } from '../../workspace/open-service.ts';
import type { AlertsRead } from '../alerts/index.ts';
import type { ComplianceWatchStore } from './store/compliance-watch-store.ts';
import type { MuteStore } from './store/mute-store.ts';
import type { PollStore } from './store/poll-store.ts';
import type { ReminderStore } from './store/reminder-store.ts';
import type { Timings } from './timings.ts';

/** Dependencies of the background jobs of watches. */
export type WatchWork = {
  store: PollStore;
  complianceWatches: ComplianceWatchStore;
  mutes: MuteStore;
  reminders: ReminderStore;
  openService: OpenService;
  clock: Clock;
  log: Logger;
};

/** Dependencies of polling. */
export type PollContext = Pick<WatchWork, 'store' | 'openService' | 'clock' | 'log'> & {
  /** Called with each page of alerts that was recorded. */
  onAlertsRead?: ((read: AlertsRead) => Promise<void>) | undefined;
  /** Called with the outcome of each poll. */
  onPolled?: ((outcome: 'read' | 'failed' | 'lease-lost') => void) | undefined;
  timings: Timings;
  /** Aborts when Belay stops. */
  stopping: AbortSignal;
};
