import { setTimeout as wait } from 'node:timers/promises';
import { actAs } from '../../playground/act-as.ts';
import { people } from '../../playground/people.ts';
import { workspaceFromManifest } from '../../playground/read-manifest.ts';
import { setUpBelay } from '../../playground/set-up-belay.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { WorkspacePerson } from '../../playground/slack/workspace.ts';
import { amount } from '../read-options.ts';
import { waitFor } from '../replicas/wait-for.ts';
import { percentile } from '../statistics.ts';
import { openStage } from '../storm/open-stage.ts';
import { memberOf } from '../workspaces/member.ts';
import { maxWithin, slackLimit } from './max-within.ts';

const openMs = amount(10_000, 2000);

/**
 * People open their Home tabs within 10 s: 100, all shown at once, and 1,000, paced by Slack's limit,
 * while a watch begins that all of them show. Takes about 12 minutes.
 */
export async function benchHome() {
  const few = await openHomes({ count: amount(100, 10), isChanging: false, patienceMs: 60_000 });
  process.stderr.write(`${JSON.stringify(few)}\n`);
  const many = await openHomes({
    count: amount(1000, 20),
    isChanging: true,
    patienceMs: 1_200_000,
  });
  const violations = [few, many].flatMap(({ count, lost, outdated }) =>
    lost + outdated === 0 ? [] : [`of ${count} Home tabs, ${lost} not shown, ${outdated} outdated`],
  );
  return { few, many, violations };
}

async function openHomes({
  count,
  isChanging,
  patienceMs,
}: {
  count: number;
  isChanging: boolean;
  patienceMs: number;
}) {
  const workspace = workspaceFromManifest(true);
  const members = Array.from({ length: count }, (_, index) => memberOf(workspace.teamId, index));
  const all = { ...workspace, people: [...workspace.people, ...members] };
  const stage = await openStage({ oauth: false, workspace: all });
  try {
    const { slack, service } = stage;
    await setUpBelay(slack, service);
    const cleo = actAs(slack, people.cleo);
    const watch = async (channel: string) => {
      await cleo.send(channel, '/belay watch all');
      await cleo.seeMessage('Watch added.');
    };
    if (!isChanging) await watch('ops');
    const opening = openAll(slack, members);
    // Those who are shown by then see the change later, all others at once.
    if (isChanging) await watch('ops');
    const opened = await opening;
    const isCurrent = ({ slackUserId }: WorkspacePerson) =>
      /<#C0OPS00001> · 1 watch/.test(JSON.stringify(slack.snapshot(slackUserId).home));
    await waitFor(() => members.every(isCurrent), { forMs: patienceMs, everyMs: 1000 });
    return {
      count,
      ...figuresOf(slack, opened),
      outdated: members.filter((one) => !isCurrent(one)).length,
    };
  } finally {
    await stage.stop();
  }
}

/** Evenly spread. Resolves to when each person opened their Home tab, in milliseconds. */
async function openAll(
  slack: LocalSlack,
  members: WorkspacePerson[],
): Promise<Map<string, number>> {
  const begun = Date.now();
  const opened = new Map<string, number>();
  await Promise.all(
    members.map(async ({ slackUserId }, index) => {
      await wait(begun + (index * openMs) / members.length - Date.now());
      opened.set(slackUserId, Date.now());
      await slack.perform(slackUserId, { type: 'open-home' });
    }),
  );
  return opened;
}

function figuresOf({ calls }: LocalSlack, opened: Map<string, number>) {
  const published = calls.filter(({ method }) => method === 'views.publish');
  const shownAt = new Map<unknown, number>();
  for (const { arguments: given, result, at } of published) {
    if (result.ok && !shownAt.has(given.user_id)) shownAt.set(given.user_id, at.getTime());
  }
  const times = [...opened].flatMap(([id, at]) => {
    const shown = shownAt.get(id);
    return shown === undefined ? [] : [shown - at];
  });
  return {
    shown: times.length,
    lost: opened.size - times.length,
    published: published.length,
    refused: published.filter(({ result }) => !result.ok).length,
    maxPerMinute: maxWithin(published.map(({ at }) => at.getTime())),
    limitPerMinute: slackLimit.perMinute,
    p50Ms: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    maxMs: percentile(times, 1),
  };
}
