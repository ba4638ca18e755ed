import type { OriginRef } from '../../../database/connection-origin.ts';
import type { Database } from '../../../database/tables.ts';
import { listFailingChannels } from '../../../postings/outbox/store/read-backlog.ts';
import { canPostInChannel, isDirectChannel } from '../../../slack/api/channel.ts';
import type { SlackClient } from '../../../slack/api/slack-client.ts';
import { bold, channelMention, mention, moment } from '../../../slack/ui/mrkdwn.ts';
import { plural } from '../../../slack/ui/words.ts';
import { listSubscribedChannels } from '../../../subscriptions/channels.ts';
import type { ConnectionSummary } from '../../../workspace/workspace.ts';
import { digestFamily } from '../../digests/index.ts';
import { drillFamily, listFailedDrills } from '../../drills/index.ts';
import { readPolicyHealth } from '../../policy-watches/index.ts';
import { readOutage, watchFamily } from '../../watches/index.ts';
import { type Found, ok, problem, warning } from '../finding.ts';

/** Slack answers about 50 such calls a minute, and other checks wait for it too. */
const maxChannels = 20;

/** Whether Belay can post where requests, watches and digests are posted. */
export async function checkChannels(
  db: Database,
  slack: SlackClient,
  approvalsChannel: string | undefined,
): Promise<Found[]> {
  const { teamId } = slack;
  const used = (await listFamilies(db, teamId)).flatMap(({ channels }) => channels);
  const others = used
    .filter(({ channelId, pausedReason }) => !pausedReason && !isDirectChannel(channelId))
    .map(({ channelId }) => channelId);
  const ids = [...new Set([...(approvalsChannel ? [approvalsChannel] : []), ...others])];
  const checked = ids.slice(0, maxChannels);
  const canPost = await Promise.all(checked.map((id) => canPostInChannel(slack, id)));
  const closed = checked.filter((_, at) => !canPost[at]);
  const findings = closed.map((id) =>
    id === approvalsChannel
      ? problem(
          `Belay can't post in the approvals channel ${channelMention(id)}, so nobody can request a change.`,
          'Invite Belay there with `/invite @Belay`, or choose another channel in `/belay setup`.',
        )
      : warning(
          `Belay can't post in ${channelMention(id)}, which has watches, digests or restore drills.`,
          'Invite Belay there with `/invite @Belay`.',
        ),
  );
  const failing = (await listFailingChannels(db, teamId)).map(({ channelId, attempts }) =>
    warning(
      `Posting in ${channelMention(channelId)} has failed ${plural(attempts, 'time')} in a row.`,
      'Belay keeps trying. Search the log for the channel ID.',
    ),
  );
  if (findings.length + failing.length > 0) return [...findings, ...failing];
  const none = 'No channel has requests, watches or digests yet.';
  const all = `Belay can post in ${plural(checked.length, 'channel')} with requests, watches or digests.`;
  return [ok(checked.length > 0 ? all : none)];
}

function listFamilies(db: Database, teamId: string) {
  return Promise.all(
    [watchFamily, digestFamily, drillFamily].map(async (family) => {
      return { ...family, channels: await listSubscribedChannels(db, family, teamId) };
    }),
  );
}

/** Watches and digests that are paused, and alerts and policies that can't be read. */
export async function checkSchedules(
  db: Database,
  { teamId, connections, now }: { teamId: string; connections: ConnectionSummary[]; now: Date },
): Promise<Found[]> {
  const used = await listFamilies(db, teamId);
  const readings = await Promise.all(
    connections.map(async ({ originId, name }) => {
      const on = connections.length > 1 ? ` on ${bold(name)}` : '';
      const of = { teamId, originId };
      const outage = await readOutage(db, of);
      const missing = outage && [
        problem(
          `Watches${on} have been missing alerts since ${moment(outage.since)}. ${outage.reason}`,
          'Belay keeps trying and posts the missed alerts when the service answers again.',
        ),
      ];
      return [...(missing ?? []), ...(await checkPolicies(db, of, { on, now }))];
    }),
  );
  const failedDrills = (await listFailedDrills(db, teamId)).map(({ channelId, count }) => {
    const text = `The last restore of ${plural(count, 'volume')} in ${channelMention(channelId)} failed or has an unknown outcome.`;
    const found = warning(text, 'Run `/belay drill report` to see why.');
    return { ...found, area: 'Restore drills' };
  });
  const findings = [
    ...readings.flat(),
    ...failedDrills,
    ...used.flatMap(({ noun, plural: nouns, command, channels }) =>
      channels.flatMap(({ channelId, count, pausedReason, owner }) => {
        if (pausedReason === undefined) return [];
        const isDirect = isDirectChannel(channelId);
        const where = isDirect ? `direct messages of ${mention(owner)}` : channelMention(channelId);
        const remedy = isDirect
          ? `Check with \`/belay access\` that this person has access to Belay. Then they can resume with \`${command}\` there.`
          : `Invite Belay to the channel and run \`${command}\` there.`;
        return [
          warning(`${plural(count, noun, nouns)} in ${where} paused: ${pausedReason}`, remedy),
        ];
      }),
    ),
  ];
  if (findings.length > 0) return findings;
  const counts = used.map(({ noun, plural: nouns, channels }) =>
    plural(
      channels.reduce((sum, { count }) => sum + count, 0),
      noun,
      nouns,
    ),
  );
  return [ok(`${counts.join(' · ')} · none paused`)];
}

/** Longer than a few attempts take. */
const maxLateMs = 15 * 60_000;

/** Whether the policies of a connection can be read that a channel watches or a digest includes. */
async function checkPolicies(
  db: Database,
  of: OriginRef,
  /** `on` follows what is read: the connection, or nothing in a workspace with one. */
  { on, now }: { on: string; now: Date },
): Promise<Found[]> {
  const health = await readPolicyHealth(db, of);
  if (!health) return [];
  const { readAt, nextAt, failing, unlistedSince } = health;
  const isLate = (since: Date) => +now - +since > maxLateMs;
  const last = readAt ? ` Last read: ${moment(readAt)}.` : '';
  if (failing && isLate(failing.since)) {
    return [
      problem(
        `Belay hasn't been able to read the policies${on} since ${moment(failing.since)}, so changes made outside Belay aren't reported. ${failing.reason}${last}`,
        'Belay keeps trying and reports these changes when the service answers again.',
      ),
    ];
  }
  if (isLate(nextAt)) {
    return [
      problem(
        `Belay hasn't read the policies${on} on time: the reading was due ${moment(nextAt)}.${last}`,
        'Check that Belay is running and can reach the database. Then search the log for `policies could not be observed`.',
      ),
    ];
  }
  if (!unlistedSince) return [];
  return [
    warning(
      `The service hasn't listed the policies${on} since ${moment(unlistedSince)}, so Belay can't report changes made outside Belay.`,
      'End the policy watches with `/belay watch`, and remove *Policy changes* from the digests with `/belay digest`.',
    ),
  ];
}
