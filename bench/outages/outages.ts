import { setTimeout as wait } from 'node:timers/promises';
import { amount } from '../read-options.ts';
import type { OutagesSetup } from './open-outages.ts';

export type Outage = {
  name: string;
  lastsMs: number;
  /** Begins the outage; resolves to what ends it. */
  begin: (setup: OutagesSetup) => Promise<() => Promise<void> | void>;
  needs?: 'server' | 'socket';
  /** Whether the short form leaves it out, because another one is much the same. */
  isVariant?: boolean;
};

const defaultMs = amount(45_000, 5000);

export const outages: Outage[] = [
  {
    name: 'the database restarts',
    lastsMs: 0,
    needs: 'server',
    async begin({ server }) {
      await server?.restartDatabase();
      return () => undefined;
    },
  },
  {
    name: 'the database cuts connections in the middle of statements',
    lastsMs: defaultMs,
    needs: 'server',
    isVariant: true,
    async begin({ server, random }) {
      server?.proxy.cutSome(() => random.chance(0.01));
      return () => server?.proxy.restore();
    },
  },
  {
    name: 'the database is silent',
    lastsMs: amount(30_000, 5000),
    needs: 'server',
    async begin({ server }) {
      server?.proxy.silence();
      return () => server?.proxy.restore();
    },
  },
  slackOutage('Slack answers 503', { kind: 'status', status: 503 }),
  {
    ...slackOutage('Slack answers 429', { kind: 'rate-limited', retryAfterSeconds: 5 }),
    isVariant: true,
  },
  { ...slackOutage('Slack is silent', { kind: 'silent' }), isVariant: true },
  {
    name: 'the socket drops',
    lastsMs: defaultMs,
    needs: 'socket',
    async begin({ testBed: { slack } }) {
      // Until the end there is nothing to reconnect to.
      slack.setOutage({ kind: 'status', status: 503 });
      slack.dropSockets();
      return () => slack.setOutage(undefined);
    },
  },
  { ...serviceOutage('the service answers 503', { kind: 'status', status: 503 }), isVariant: true },
  serviceOutage('the service is silent', { kind: 'hang' }),
  {
    name: 'a replica is frozen',
    lastsMs: amount(120_000, 10_000),
    needs: 'server',
    async begin({ server, random }) {
      const replica = server && random.pick(server.replicas);
      if (!replica) return () => undefined;
      server?.frozen.add(replica);
      replica.freeze();
      return async () => {
        replica.resume();
        await wait(1000);
        server?.frozen.delete(replica);
      };
    },
  },
];

function slackOutage(
  name: string,
  outage: Parameters<OutagesSetup['testBed']['slack']['setOutage']>[0],
): Outage {
  return {
    name,
    lastsMs: defaultMs,
    async begin({ testBed: { slack } }) {
      slack.setOutage(outage);
      return () => slack.setOutage(undefined);
    },
  };
}

function serviceOutage(
  name: string,
  fault: Parameters<OutagesSetup['testBed']['service']['setFault']>[0],
): Outage {
  return {
    name,
    lastsMs: defaultMs,
    async begin({ testBed: { service } }) {
      service.setFault(fault);
      return () => service.setFault(undefined);
    },
  };
}
