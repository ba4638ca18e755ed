import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { SlackClient } from '../../../src/slack/api/slack-client.ts';
import { isUserGroup } from '../../../src/workspace/members.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { databases } from '../../support/databases.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';
import { groups, people, standing } from '../rules/ruled-world.ts';
import { approvalsChannel, type BreakGlassWorld, openBreakGlassWorld } from './model-world.ts';

/** The runs that were started, with the mailbox of their requester at that moment, and their reviewers. */
type Model = { runs: Map<string, { by: string; mailbox: string | undefined; reviewer?: string }> };
type Command = fc.AsyncCommand<Model, BreakGlassWorld>;

const anyone = fc.constantFrom(...people);
const named = fc.uniqueArray(fc.oneof(fc.constantFrom(...groups), anyone), { maxLength: 3 });
const rule = fc.record({ breakGlass: named, from: named }).map(({ breakGlass, from }) => ({
  ...defaultRule,
  breakGlass,
  approvals: from.length > 0 ? [{ from, count: 1 }] : [],
}));

function command(
  title: string,
  run: (model: Model, world: BreakGlassWorld) => Promise<void>,
): Command {
  return {
    check: () => true,
    toString: () => title,
    async run(model, world) {
      await run(model, world);
      // Only runs that the model saw start have started, and only they are reviewed.
      for (const row of await world.list()) {
        const known = model.runs.get(row.id);
        expect(row.decided_by).toBeNull();
        expect(row.decided_at !== null, row.state).toBe(known !== undefined);
        expect(row.reviewed_by ?? undefined).toBe(known?.reviewer);
      }
    },
  };
}

/** Whether these ids name the person at this moment. */
function isNamed(world: BreakGlassWorld, by: string, ids: readonly string[]): boolean {
  const { groups: own, membership } = world.standingOf(by);
  const all = world.isOut() ? [by] : [by, ...own];
  return membership === 'member' && all.some((id) => ids.includes(id));
}

function mayRun(world: BreakGlassWorld, by: string): boolean {
  const { mailbox } = world.standingOf(by);
  return (
    isNamed(world, by, world.rule()?.breakGlass ?? []) &&
    mailbox !== undefined &&
    mailbox !== 'subject'
  );
}

/** Whom a direct message reaches: the local Slack doesn't know the others. */
const reachable: readonly string[] = ['U1', 'U2'];

/** The people who could approve such a run, but for a group that Slack doesn't return. */
function otherApprovers(world: BreakGlassWorld, by: string): string[] {
  const own = world.standingOf(by).mailbox;
  if (world.isOut() && world.approvers().some(isUserGroup)) return [];
  return people.filter(
    (id) =>
      isNamed(world, id, world.approvers()) &&
      ![undefined, 'subject', own].includes(world.standingOf(id).mailbox),
  );
}

const action = fc.constantFrom(...(['users.disable', 'users.disable', 'setup.change'] as const));
const several = fc.uniqueArray(anyone, { minLength: 3 });

const tryToRun = fc.record({ who: several, action }).map((given) =>
  command(`${given.who.join(', ')} try to run ${given.action}`, async (model, world) => {
    for (const by of given.who) {
      const before = new Set((await world.list()).map(({ id }) => id));
      const result = await world.tryToRun({ by, action: given.action });
      const added = (await world.list()).filter(({ id }) => !before.has(id));
      const others = otherApprovers(world, by);
      const isPosted =
        given.action === 'users.disable' &&
        world.guard() === 'passed' &&
        mayRun(world, by) &&
        others.length > 0;
      const isAllowed =
        isPosted && others.some((id) => world.isInChannel(id) || reachable.includes(id));
      expect(result?.result === 'requested').toBe(isAllowed);
      const state = isAllowed ? 'approved' : 'voided';
      expect(added.map((row) => row.state)).toEqual(isPosted ? [state] : []);
      if (!isAllowed) continue;
      const { mailbox } = world.standingOf(by);
      for (const { id } of added) model.runs.set(id, { by, mailbox });
    }
  }),
);

/** Every person tries to decide a run without approval: nobody can. */
const decide = anyone.map((by) =>
  command(`${by} tries to decide`, async (model, world) => {
    for (const id of model.runs.keys()) {
      for (const to of ['approved', 'denied', 'withdrawn'] as const) {
        expect((await world.decide(id, by, to))?.result).not.toBe('decided');
      }
    }
  }),
);

const checkRuns = fc.constant(undefined).map(() =>
  command('the next steps run', async (model, world) => {
    for (const [id, { by }] of model.runs) {
      if (await world.wouldRun(id)) expect(mayRun(world, by), by).toBe(true);
    }
  }),
);

const end = fc.constant(undefined).map(() =>
  command('all runs end', async (model, world) => {
    for (const id of model.runs.keys()) await world.end(id);
  }),
);

const review = several.map((who) =>
  command(`${who.join(' and ')} review everything at once`, async (model, world) => {
    for (const [id, run] of model.runs) {
      await Promise.all(who.map((by) => world.review(id, by)));
      const { breakGlass, rule: stored } = await world.find(id);
      const by = breakGlass?.review?.by;
      if (run.reviewer !== undefined) expect(by).toBe(run.reviewer);
      if (by === undefined || run.reviewer !== undefined) continue;
      expect(who).toContain(by);
      const { mailbox } = world.standingOf(by);
      const requesters = [run.mailbox, world.standingOf(run.by).mailbox];
      expect(by).not.toBe(run.by);
      expect([undefined, 'subject', ...requesters]).not.toContain(mailbox);
      const approvals = stored?.approvals ?? [];
      const approvers = approvals.length > 0 ? approvals[0]?.from : [world.approver];
      expect(isNamed(world, by, approvers ?? [])).toBe(true);
      run.reviewer = by;
    }
  }),
);

const becomes = anyone.chain((who) =>
  standing(who).map((to) =>
    command(`${who} is now ${JSON.stringify(to)}`, async (_, world) => world.change(who, to)),
  ),
);
const joins = fc
  .subarray([...people])
  .map((ids) =>
    command(`in the channel are now ${ids}`, async (_, world) => world.setMembers(ids)),
  );
/** Two accounts of one person from now on. */
const share = fc
  .tuple(anyone, anyone)
  .map(([one, other]) =>
    command(`${one} now has the mailbox of ${other}`, async (_, world) =>
      world.change(one, { ...world.standingOf(one), mailbox: world.standingOf(other).mailbox }),
    ),
  );
const changes = [
  share,
  named.map((breakGlass) =>
    command(`the rule now names ${breakGlass} for break-glass`, async (_, world) => {
      const current = world.rule();
      if (current) world.setRule({ ...current, breakGlass });
    }),
  ),
  fc
    .option(rule, { nil: undefined, freq: 5 })
    .map((to) =>
      command(`the rule is now ${JSON.stringify(to)}`, async (_, world) => world.setRule(to)),
    ),
  fc
    .constantFrom(
      'passed' as const,
      'passed' as const,
      'refused' as const,
      'not_checkable' as const,
    )
    .map((to) => command(`the guard is ${to}`, async (_, world) => world.setGuard(to))),
  fc
    .constantFrom(true, false, false)
    .map((isOut) =>
      command(`Slack ${isOut ? "doesn't return" : 'returns'} groups`, async (_, world) =>
        world.setOut(isOut),
      ),
    ),
];

const runs = propertyRuns(100, 12);

describe.each(databases())('break-glass on $name', ({ open }) => {
  let database: OpenDatabase;
  let slack: SlackClient;
  let channel: { members?: string[] };
  let stop: () => Promise<void>;
  beforeAll(async () => {
    database = await open();
    const workspace = createWorkspace();
    const [ana] = workspace.people;
    if (ana) workspace.people.push(...reachable.map((slackUserId) => ({ ...ana, slackUserId })));
    const ops = workspace.channels.find(({ channelId }) => channelId === approvalsChannel);
    if (!ops) throw new Error('there is no approvals channel');
    channel = ops;
    const local = await startLocalSlack({ workspace });
    stop = () => local.close();
    const clients = clientsWithToken(workspace.app.botToken, { slackApiUrl: local.apiUrl });
    slack = await clients.clientFor(workspace.teamId);
  });
  afterAll(async () => {
    await stop();
    await database.close();
  });

  it('runs only for people named in the rule, and is reviewed once, by someone else', async () => {
    let started = 0;
    let reviewed = 0;
    const start = fc.record({ rule, standings: fc.tuple(...people.map(standing)) });
    const often = [tryToRun, end, review, becomes, joins];
    const history = fc.commands([...often, ...often, share, checkRuns, decide, ...changes], {
      maxCommands: 30,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(start, history, async (given, calls) => {
        const world = await openBreakGlassWorld(database.db, slack, channel, given);
        const model: Model = { runs: new Map() };
        await fc.asyncModelRun(() => ({ model, real: world }), calls);
        const all = [...model.runs.values()];
        started += all.length;
        reviewed += all.filter(({ reviewer }) => reviewer !== undefined).length;
      }),
      runs,
    );
    // The properties above aren't empty; a few sampled histories may be.
    if (runs.numRuns < 100) return;
    expect(started).toBeGreaterThan(runs.numRuns / 4);
    expect(reviewed).toBeGreaterThan(0);
  });
});
