import PQueue from 'p-queue';
import type { DeliveryStore } from './outbox-store.ts';

/**
 * The same store for those who hold channels, so many of them at a time. Each may have to wait for
 * the row of its channel, and does so on a connection that people's commands need as well.
 */
export function fewAtOnce(store: DeliveryStore, most: number): DeliveryStore {
  const queue = new PQueue({ concurrency: most });
  const inTurn =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args) =>
      queue.add(() => call(...args));
  return {
    claimChannels: store.claimChannels,
    readWaiting: inTurn(store.readWaiting),
    recordMessage: inTurn(store.recordMessage),
    recordSummary: inTurn(store.recordSummary),
    recordRefusal: inTurn(store.recordRefusal),
    forgetPosted: inTurn(store.forgetPosted),
    rest: inTurn(store.rest),
    postpone: inTurn(store.postpone),
    postponeEdit: inTurn(store.postponeEdit),
    pauseEdits: inTurn(store.pauseEdits),
    abandon: inTurn(store.abandon),
    prune: store.prune,
  };
}
