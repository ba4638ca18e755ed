import { expect, test } from 'vitest';
import {
  activityByHour,
  environment,
  timeZones,
  utilization,
  workload,
} from '../../../bench/simulate/assumptions.ts';
import { chooseStorms, dayDemand } from '../../../bench/simulate/day-demand.ts';
import { findLimits, peakLoad } from '../../../bench/simulate/find-limits.ts';
import { readCosts } from '../../../bench/simulate/measured-costs.ts';
import { postgresCores, replicasFor } from '../../../bench/simulate/plan-replicas.ts';

const daySeconds = 86_400;
const workspaces = 1000;

function totalOf(demandAt: ReturnType<typeof dayDemand>) {
  const total = { digests: 0, commands: 0, decisions: 0, alertsStored: 0 };
  for (let second = 0; second < daySeconds; second += 1) {
    const demand = demandAt(second);
    total.digests += demand.digests;
    total.commands += demand.commands;
    total.decisions += demand.decisions;
    total.alertsStored += demand.alertsStored;
  }
  return total;
}

test('the shares of the time zones and of the day add up', () => {
  expect(timeZones.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(activityByHour.reduce<number>((sum, share) => sum + share, 0)).toBeCloseTo(1);
  expect(activityByHour).toHaveLength(24);
});

test('a day brings each digest once, and what each workspace does', () => {
  const total = totalOf(dayDemand(workspaces, []));
  expect(total.digests).toBeCloseTo(workspaces * workload.digestShare);
  expect(total.commands).toBeCloseTo(workspaces * workload.commandsPerDay);
  expect(total.decisions).toBeCloseTo(workspaces * workload.decisionsPerDay);
  expect(total.alertsStored).toBeCloseTo(workspaces * workload.alertsPerDay);
});

test('a storm adds its alerts, and the same seed makes the same storms', () => {
  const storm = { atSecond: 5000, workspaces: 10, region: 'eu' };
  const { alertsStored } = totalOf(dayDemand(workspaces, [storm]));
  const without = workspaces * workload.alertsPerDay;
  expect(alertsStored - without).toBeCloseTo(10 * workload.storms.alerts);
  expect(chooseStorms(workspaces, 3)).toEqual(chooseStorms(workspaces, 3));
  expect(chooseStorms(workspaces, 3)).not.toEqual(chooseStorms(workspaces, 4));
});

test('at each limit, the resource is used as much as is planned', () => {
  const costs = readCosts();
  const replicas = 10;
  const limits = findLimits(costs, { environment, replicas });
  const at = (name: RegExp) => limits.find((limit) => name.test(limit.name))?.workspaces ?? 0;
  const neededAt = (count: number) => replicasFor(costs, environment, peakLoad(count));
  expect(neededAt(at(/Polls at once/)).connections).toBeCloseTo(replicas);
  expect(neededAt(at(/Processors of/)).processors).toBeCloseTo(replicas);
  expect(neededAt(at(/samples/)).complianceSamples).toBeCloseTo(replicas);
  expect(postgresCores(costs, peakLoad(at(/cores of/)), replicas)).toBeCloseTo(
    environment.databaseCores * utilization,
    1,
  );
  expect(limits).toEqual(limits.toSorted((a, b) => a.workspaces - b.workspaces));
});
