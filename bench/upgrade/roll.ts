import { setTimeout as wait } from 'node:timers/promises';
import { listReplicas } from '../../src/replicas/replicas.ts';
import { replicaNames } from '../chaos/chaos-setup.ts';
import { amount } from '../read-options.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { UpgradeSetup } from './open-upgrade.ts';

export type Rolled = {
  upgrades: number;
  downgrades: number;
  /** How many replicas changed their version after a clean stop, and the others, which were killed. */
  stops: number;
  kills: { name: string; at: Date }[];
  /** The versions that `doctor` would show while replicas of both ran, each combination once. */
  seenTogether: string[];
  violations: string[];
};

/** Runs all replicas on one version for a while, for work that only this version does. */
const pauseMs = amount(10_000, 3000);
const startMs = 60_000;

/**
 * Moves the replicas one by one to the newer version and back for the given time, and finally to the
 * newer version. Half of them are stopped, half are killed.
 */
export async function roll(setup: UpgradeSetup, forMs: number): Promise<Rolled> {
  const { versions } = setup;
  const rolled: Rolled = {
    upgrades: 0,
    downgrades: 0,
    stops: 0,
    kills: [],
    seenTogether: [],
    violations: [],
  };
  const until = performance.now() + forMs;
  for (;;) {
    await wait(pauseMs);
    await rollTo(versions.newer, setup, rolled);
    rolled.upgrades += 1;
    await wait(pauseMs);
    if (performance.now() > until) return rolled;
    await rollTo(versions.older, setup, rolled);
    rolled.downgrades += 1;
  }
}

async function rollTo(sources: string, setup: UpgradeSetup, rolled: Rolled): Promise<void> {
  const { fleet, random, setSources, db } = setup;
  for (const name of replicaNames) {
    setSources(name, sources);
    const isMoved = () =>
      fleet.running().some((one) => one.name === name && one.sources === sources);
    const isKilled = random.chance(0.5);
    // If it was just killed, it may start with either version.
    const begun = performance.now();
    while (!isMoved() && performance.now() - begun < startMs) {
      const at = new Date();
      if (await (isKilled ? fleet.kill(name) : fleet.restart(name))) {
        if (isKilled) rolled.kills.push({ name, at });
        else rolled.stops += 1;
      }
      await waitFor(() => fleet.running().some((one) => one.name === name), { forMs: startMs });
    }
    if (!isMoved()) rolled.violations.push(`${name} didn't change its version`);
    await wait(random.integer(1000, 5000));
    const live = (await listReplicas(db, new Date())).filter(({ isLive }) => isLive);
    const seen = [...new Set(live.map(({ version }) => version))].sort().join(' and ');
    if (!rolled.seenTogether.includes(seen)) rolled.seenTogether.push(seen);
  }
}
