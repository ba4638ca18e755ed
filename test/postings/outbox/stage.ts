import { addMilliseconds } from 'date-fns/addMilliseconds';
import { inject, onTestFinished } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../../playground/slack/local-slack.ts';
import type { Message } from '../../../playground/slack/protocol.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import type { Clock } from '../../../src/clock.ts';
import { serveAll } from '../../../src/database/served-teams.ts';
import type { Database } from '../../../src/database/tables.ts';
import { digestOutboxHandlers } from '../../../src/features/digests/store/digest-kind.ts';
import { watchOutboxHandlers } from '../../../src/features/watches/store/watch-kinds.ts';
import { createLogger } from '../../../src/logger.ts';
import { createDelivery, type Delivery } from '../../../src/postings/outbox/deliver.ts';
import { enqueueMessages } from '../../../src/postings/outbox/enqueue.ts';
import type { Destination, Outgoing, Queued } from '../../../src/postings/outbox/message.ts';
import { createOutboxStore } from '../../../src/postings/outbox/store/outbox-store.ts';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { newTeamId, noon } from '../../requests/store/rows.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { databases } from '../../support/databases.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';
import { silent } from './silent-logger.ts';

export const ops = 'C0OPS00001';
export const random = 'C0RANDOM03';
export const ana = 'U0ANA00001';
export const ben = 'U0BEN00002';

/** Every database, the embedded one from a template, which opens in a tenth of the time. */
export function stores(): ReturnType<typeof databases> {
  const [embedded, ...others] = databases();
  const open = () => openFromTemplate(inject('databaseTemplate'));
  return [{ name: embedded?.name ?? 'PGlite', open }, ...others];
}

export type DeliveryStage = {
  teamId: string;
  slack: LocalSlack;
  clock: Clock;
  logged: string[];
  queue: (outgoing: Outgoing[], to?: Partial<Destination>) => Promise<Queued[]>;
  /** Another process on the same database. */
  startDelivery: () => Delivery;
  /** One round of delivery. */
  deliver: () => Promise<void>;
  wait: (ms: number) => void;
  /** Advances the clock second by second, and delivers after each. */
  run: (seconds: number) => Promise<void>;
  seen: (channelId?: string) => Message[];
  texts: (channelId?: string) => string[];
};

/** Delivery from the database, whose outbox is emptied first, to a local Slack. */
export async function startDeliveryStage(
  db: Database,
  {
    beforeSend,
    ...options
  }: Pick<Parameters<typeof createDelivery>[0], 'mayReadDirect'> & {
    /** Runs in a process that holds the lease of a channel and is about to send. */
    beforeSend?: () => Promise<void>;
  } = {},
): Promise<DeliveryStage> {
  await db.deleteFrom('delivery_message').execute();
  await db.deleteFrom('delivery_summary').execute();
  await db.deleteFrom('delivery_channel').execute();
  let now = noon;
  const clock = () => now;
  const workspace = createWorkspace();
  const slack = await startLocalSlack({ workspace, clock });
  onTestFinished(() => slack.close());
  const teamId = newTeamId();
  const logged: string[] = [];
  const startDelivery = () => {
    const clients = clientsWithToken(workspace.app.botToken, {
      slackApiUrl: slack.apiUrl,
      logger: silent,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
    });
    return createDelivery({
      ...options,
      store: createOutboxStore(db, [watchOutboxHandlers, digestOutboxHandlers], serveAll),
      clients: {
        ...clients,
        async clientFor(teamId) {
          await beforeSend?.();
          return clients.clientFor(teamId);
        },
      },
      clock,
      log: createLogger('info', { write: (line) => void logged.push(line) }),
    });
  };
  const { deliver } = startDelivery();
  const deliverNow = async () => {
    await deliver.finish();
  };
  const wait = (ms: number) => {
    now = addMilliseconds(now, ms);
  };
  const seen = (channelId = ops) =>
    slack.snapshot(ana).conversations.find((one) => one.channelId === channelId)?.messages ?? [];
  return {
    teamId,
    slack,
    clock,
    logged,
    queue: (outgoing, to = {}) =>
      db.transaction().execute((trx) => {
        const destination = { teamId, channelId: ops, ownerSlackUserId: ana, ...to };
        return enqueueMessages(trx, destination, outgoing, now);
      }),
    startDelivery,
    deliver: deliverNow,
    wait,
    async run(seconds) {
      for (let passed = 0; passed < seconds; passed += 1) {
        wait(1000);
        await deliverNow();
      }
    },
    seen,
    texts: (channelId) => seen(channelId).map(({ text }) => text),
  };
}

export function about(subject: string, text: string, more: Partial<Outgoing> = {}): Outgoing {
  return { subject, message: notice(text), ...more };
}

/** `count` alerts of one watch, numbered from `first`. */
export function alerts(count: number, { first = 1, facet = 'error', key = 'watch-1' } = {}) {
  return Array.from({ length: count }, (_, index) =>
    about(`${key}:${first + index}`, `alert ${first + index}`, {
      group: { key, title: 'severity:error', facet },
    }),
  );
}
