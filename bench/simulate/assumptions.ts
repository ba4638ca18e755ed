import type { Environment } from './model/rates.ts';

/**
 * Where the workspaces are: an assumption, roughly the distribution of office workers who use English
 * business software. Hours from UTC without daylight saving time, and the region of the service.
 */
export const timeZones = [
  { offset: -8, share: 0.08, region: 'us-west' },
  { offset: -7, share: 0.03, region: 'us-west' },
  { offset: -6, share: 0.09, region: 'us-east' },
  { offset: -5, share: 0.17, region: 'us-east' },
  { offset: -3, share: 0.06, region: 'us-east' },
  { offset: 0, share: 0.1, region: 'eu' },
  { offset: 1, share: 0.17, region: 'eu' },
  { offset: 2, share: 0.07, region: 'eu' },
  { offset: 3, share: 0.05, region: 'eu' },
  { offset: 5.5, share: 0.08, region: 'asia' },
  { offset: 8, share: 0.05, region: 'asia' },
  { offset: 9, share: 0.03, region: 'asia' },
  { offset: 10, share: 0.02, region: 'asia' },
] as const;

/** What a workspace does on a working day: assumptions. Each workspace has a watch. */
export const workload = {
  /** The part of the workspaces with a digest, due at 09:00 local time. */
  digestShare: 0.7,
  digestHour: 9,
  commandsPerDay: 6,
  decisionsPerDay: 1,
  alertsPerDay: 20,
  /** Of those, how many are raised again or cleared later. */
  changesPerAlert: 1,
  /** An outage of what is protected: so many alerts at once in a part of the workspaces of a region. */
  storms: { perDay: 2, share: 0.05, alerts: 200, spreadSeconds: 20 },
  /** Messages of a storm in a channel; further alerts are counted in a summary. */
  messagesPerStorm: 12,
};

/** The part of a day's commands and decisions in each local hour. */
export const activityByHour = [
  0, 0, 0, 0, 0, 0, 0.01, 0.03, 0.09, 0.13, 0.13, 0.11, 0.07, 0.1, 0.11, 0.09, 0.07, 0.04, 0.02, 0,
  0, 0, 0, 0,
] as const;

/** A service and a Slack that are far away, and a large database server: assumptions. */
export const environment: Environment = {
  delayMs: { poll: 150, digest: 150 },
  regionShare: largestRegionShare(),
  slackMs: 150,
  databaseCores: 16,
};

/** How much of a processor, or of a process's connections, may be used when capacity is planned. */
export const utilization = 0.7;
/** Within how many minutes all digests of a time zone are to be posted. */
export const digestMinutes = 5;
/** PostgreSQL's default for `max_connections`; a few are reserved for administrators. */
export const databaseConnections = { max: 100, reserved: 3 };
/** What the public service allows an organization in a second. */
export const serviceRequestsPerSecond = 100;

/** The part of the workspaces in the largest region. */
function largestRegionShare(): number {
  const regions = new Map<string, number>();
  for (const { region, share } of timeZones) {
    regions.set(region, (regions.get(region) ?? 0) + share);
  }
  return Math.max(...regions.values());
}
