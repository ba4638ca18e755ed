import { createRandom } from '../../playground/service/data/random.ts';
import { activityByHour, timeZones, workload } from './assumptions.ts';
import { hourSeconds } from './hour.ts';
import type { Demand } from './model/simulate.ts';

const daySeconds = 24 * hourSeconds;

export type Storm = { atSecond: number; workspaces: number; region: string };

/** The storms of a day, at random times and in random regions. */
export function chooseStorms(workspaces: number, seed: number): Storm[] {
  const random = createRandom(seed);
  const { perDay, share } = workload.storms;
  const regions = [...new Set(timeZones.map(({ region }) => region))];
  return Array.from({ length: perDay }, () => {
    const region = random.pick(regions) ?? '';
    const inRegion = timeZones.filter((one) => one.region === region);
    const part = inRegion.reduce((sum, one) => sum + one.share, 0);
    return {
      atSecond: random.integer(0, daySeconds - 1),
      region,
      workspaces: workspaces * part * share,
    };
  });
}

/** What a day on which it is a working day everywhere brings, by the second since 00:00 UTC. */
export function dayDemand(workspaces: number, storms: Storm[]): (second: number) => Demand {
  const digestsAt = new Map<number, number>();
  for (const { offset, share } of timeZones) {
    const second = wrap((workload.digestHour - offset) * hourSeconds);
    digestsAt.set(second, (digestsAt.get(second) ?? 0) + workspaces * share * workload.digestShare);
  }
  const hourly = Array.from({ length: 48 }, (_, half) => activityAt(half / 2));
  const alerts = (workspaces * workload.alertsPerDay) / daySeconds;

  return (given) => {
    const second = wrap(given);
    const activity = hourly[Math.floor(second / (hourSeconds / 2))] ?? 0;
    const { alerts: perStorm, spreadSeconds } = workload.storms;
    const stormy = storms
      .filter(({ atSecond }) => second >= atSecond && second < atSecond + spreadSeconds)
      .reduce((sum, storm) => sum + storm.workspaces / spreadSeconds, 0);
    return {
      digests: digestsAt.get(second) ?? 0,
      commands: (workspaces * workload.commandsPerDay * activity) / hourSeconds,
      decisions: (workspaces * workload.decisionsPerDay * activity) / hourSeconds,
      alertsStored: alerts + stormy * perStorm,
      alertsChanged: alerts * workload.changesPerAlert,
      posts: alerts * (1 + workload.changesPerAlert) + stormy * workload.messagesPerStorm,
    };
  };
}

/** The part of a day's activity in the UTC hour that begins then. */
function activityAt(utcHour: number): number {
  return timeZones.reduce((sum, { offset, share }) => {
    const localHour = Math.floor((((utcHour + offset) % 24) + 24) % 24);
    return sum + share * (activityByHour[localHour] ?? 0);
  }, 0);
}

function wrap(second: number): number {
  return ((second % daySeconds) + daySeconds) % daySeconds;
}
