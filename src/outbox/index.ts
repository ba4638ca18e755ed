/**
 * The outbox: messages to channels, queued in the transaction of the change that they report and
 * delivered afterward, one a second for each channel.
 *
 * - `enqueueMessages` queues them: `merge.ts` decides which are counted in a summary instead.
 * - `createDelivery` sends them: `choose-next.ts` decides which is next, `deliver-next.ts` sends it.
 * - `OutboxHandlers` is how a feature learns that its channel is unreachable or a message was dropped.
 */
export { createDelivery, type Delivery } from './deliver.ts';
export { type EnqueueMessages, enqueueMessages } from './enqueue.ts';
export { type EnqueueReply, enqueueReply } from './enqueue-reply.ts';
export type { OutboxHandlers } from './handlers.ts';
export type { Destination, Outgoing, Queued } from './message.ts';
export { createOutboxStore, type OutboxStore, purgeOutbox } from './store/outbox-store.ts';
export { listFailingChannels, readOutboxBacklog } from './store/read-backlog.ts';
export type { DeliveryTables } from './store/tables.ts';
