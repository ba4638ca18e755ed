import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { createRandom } from '../../../playground/service/data/random.ts';
import { listMisuses } from '../../replicas/check-tokens.ts';
import { countBy } from '../../statistics.ts';
import { carryValues } from './isolation/carried-values.ts';
import { createMarks, type Marks } from './isolation/find-foreign.ts';
import { type IsolationWorld, openWorld } from './isolation/open-world.ts';
import { takeStep } from './isolation/random-step.ts';
import { reportStatements } from './isolation/statements.ts';
import type { InstallationsOptions, Outcome } from './options.ts';

const concurrency = 8;
/** After each round everything is checked, and Slack forgets its messages and forms. */
const stepsPerRound = 500;
const maxQuietMs = 15_000;
const maxViolations = 50;

/**
 * Random commands, clicks, forms, watches and digests in several workspaces. Checks that nothing that
 * is sent to one contains anything of another, that no statement lacks its team, and that no call has
 * a wrong token.
 */
export async function runIsolation(options: InstallationsOptions): Promise<Outcome> {
  const { steps, seed } = options;
  const begun = performance.now();
  const world = await openWorld(options);
  const marks = createMarks(
    new Map(
      world.sites.flatMap(({ tenant, workspace }) => [
        [tenant.word, workspace.teamId],
        // Belay shows a token to nobody.
        [tenant.portal.token, 'none'],
      ]),
    ),
  );
  const carried = await carryValues(world, marks);
  try {
    const random = createRandom(seed);
    const violations: string[] = [];
    const taken: Record<string, number> = {};
    const sent = new Map<string, Record<string, number>>();
    let calls = 0;
    for (let done = 0; done < steps && violations.length < maxViolations; ) {
      const inRound = Math.min(stepsPerRound, steps - done);
      let left = inRound;
      const worker = async () => {
        while (left > 0) {
          left -= 1;
          const kind = await takeStep(world, { random, carried });
          taken[kind] = (taken[kind] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
      await makeDue(world);
      await untilQuiet(world);
      await learnIds(world, marks);
      const answers = carried.answers.splice(0);
      const received = [
        ...world.slack.received,
        ...answers.map((answer) => ({ ...answer, via: 'answer to another workspace' })),
      ];
      for (const { teamId, via, content } of received) {
        const counts = sent.get(teamId) ?? {};
        sent.set(teamId, { ...counts, [via]: (counts[via] ?? 0) + 1 });
        for (const mark of marks.findForeign(content, teamId)) {
          violations.push(`${teamId} was sent ${mark} by ${via}: ${around(content, mark)}`);
        }
      }
      violations.push(...listMisuses(world.slack.calls));
      calls += world.slack.calls.length;
      done += inRound;
      for (const { teamId, content } of world.slack.received) {
        const site = world.sites.find(({ workspace }) => workspace.teamId === teamId);
        if (site) carried.collect(site, content);
      }
      world.slack.reset();
    }
    const statements = await reportStatements(world.db);
    violations.push(
      ...statements.unbound.map(({ query, calls }) => `without its team, ${calls} times: ${query}`),
    );
    return {
      violations,
      figures: {
        steps,
        taken,
        calls,
        statements: { checked: statements.checked, allowed: statements.allowed },
        sent: Object.fromEntries(sent),
        stored: await countStored(world),
        seconds: Math.round((performance.now() - begun) / 1000),
      },
    };
  } finally {
    await carried.close();
    await world.stop();
  }
}

/** Makes all scheduled work due now. */
async function makeDue({ db }: IsolationWorld): Promise<void> {
  const now = new Date();
  await db.updateTable('digest').set({ next_run_at: now }).execute();
  await db.updateTable('alert_poll').set({ next_poll_at: now }).execute();
  await db.updateTable('compliance_watch').set({ next_read_at: now }).execute();
}

/** Waits until Belay makes no more calls. */
async function untilQuiet({ slack }: IsolationWorld): Promise<void> {
  const until = performance.now() + maxQuietMs;
  let before = -1;
  while (slack.calls.length !== before && performance.now() < until) {
    before = slack.calls.length;
    await wait(1500);
  }
}

/** Adds the ids of rows, people, conversations, alerts and policies. */
async function learnIds({ db, slack, sites }: IsolationWorld, marks: Marks): Promise<void> {
  const tables = await sql<{ name: string }>`
    select id.table_name as name from information_schema.columns id
    join information_schema.columns team on team.table_name = id.table_name
      and team.table_schema = id.table_schema and team.column_name = 'team_id'
    where id.table_schema = 'public' and id.column_name = 'id' and id.data_type = 'uuid'`.execute(
    db,
  );
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ id: string; team_id: string }>`
      select id, team_id from ${sql.table(name)}`.execute(db);
    for (const { id, team_id: teamId } of rows) marks.addId(id, teamId);
  }
  for (const { workspace, people, tenant } of sites) {
    const { teamId, channels } = workspace;
    const local = slack.workspace(teamId);
    const directs = people.flatMap((person) => local.snapshot(person.slackUserId).conversations);
    const ids = [
      ...[teamId, ...people.map(({ slackUserId }) => slackUserId)],
      ...[...channels, ...directs].map(({ channelId }) => channelId),
      ...tenant.service.alerts(tenant.portal.id).map(({ id }) => id),
      ...tenant.service.policies(tenant.portal.id).map(({ id }) => id),
    ];
    for (const id of ids) marks.addId(id, teamId);
  }
}

/** What people managed to do. */
async function countStored({ db }: IsolationWorld) {
  const requests = await db.selectFrom('approval').select(['action', 'state']).execute();
  const standIns = await db.selectFrom('stand_in').select('team_id').execute();
  const connections = await db.selectFrom('connection').select('team_id').execute();
  return {
    connections: connections.length,
    standIns: standIns.length,
    requests: countBy(requests, ({ action, state }) => `${action} ${state}`),
  };
}

function around(content: unknown, mark: string): string {
  const text = JSON.stringify(content) ?? '';
  const at = text.toLowerCase().indexOf(mark.toLowerCase());
  return text.slice(Math.max(0, at - 150), at + 150);
}
