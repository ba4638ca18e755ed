import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import type { Approval } from '../../../src/requests/approval.ts';
import { decideApproval } from '../../../src/requests/decide-approval.ts';
import { namesApprovers, neededApprovals } from '../../../src/requests/rules/match-approvals.ts';
import { checkPeople } from '../../../src/requests/run/check-people.ts';
import { GroupUnreadError } from '../../../src/workspace/permissions.ts';
import { defaultRule } from '../../../src/workspace/rules.ts';
import { databases } from '../../support/databases.ts';
import { propertyRuns } from '../../support/sampling.ts';
import {
  approvers,
  canMeet,
  openRuledWorld,
  people,
  type RuledWorld,
  requester,
  rule,
  standing,
} from './ruled-world.ts';

/** Who clicked Approve, regardless of the outcome. */
type Model = { clicked: Set<string> };
type Command = fc.AsyncCommand<Model, RuledWorld>;

const hour = 3_600_000;
const anyone = fc.constantFrom(...people);

function command(title: string, run: (model: Model, world: RuledWorld) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => title,
    async run(model, world) {
      const before = await world.find();
      await run(model, world);
      const after = await world.find();
      const wasDecided = before.state !== 'pending';
      expectPlaces(before, after, world);
      if (after.state === 'approved' && !wasDecided) expectMet(model, world);
      expect(['pending', 'approved', 'denied', 'withdrawn', 'expired', 'voided']).toContain(
        after.state,
      );
      if (wasDecided && before.state !== 'approved') expect(after.state).toBe(before.state);
    },
  };
}

/**
 * Whether the people who clicked could meet all of these at this moment: only those who are named while
 * Slack doesn't return groups.
 */
function couldMeet(model: Model, world: RuledWorld, needed: ReturnType<typeof neededApprovals>) {
  const requesters = world.standingOf(requester).mailbox;
  const accountOf = (id: string) => {
    const { groups, mailbox, membership } = world.standingOf(id);
    const isOther = id !== requester && mailbox !== requesters && mailbox !== 'subject';
    return mailbox && membership === 'member' && isOther
      ? [{ mailbox, ids: world.isOut() ? [id] : [id, ...groups] }]
      : [];
  };
  const voters = [...model.clicked].flatMap((id) =>
    accountOf(id).map((own) => ({
      mailbox: own.mailbox,
      places: [own, ...world.standsInForOf(id).flatMap(accountOf)],
    })),
  );
  return requesters !== undefined && canMeet(needed, voters);
}

function expectMet(model: Model, world: RuledWorld): void {
  expect(couldMeet(model, world, initial)).toBe(true);
}

/** Each new approval names the approver the person stands in for now, or nobody. */
function expectPlaces(before: Approval, after: Approval, world: RuledWorld): void {
  for (const { by, standsInFor } of after.votes.slice(before.votes.length)) {
    if (standsInFor) expect(world.standsInForOf(by)).toContain(standsInFor.slackUserId);
  }
}

/** Of the world under test: set at its start, so that it doesn't come from what was stored. */
let initial: ReturnType<typeof neededApprovals> = [];

async function click(
  world: RuledWorld,
  { by, to }: { by: string; to: 'approved' | 'denied' | 'withdrawn' },
) {
  const { teamId, id: approvalId } = world.ref;
  const input = { teamId, approvalId, person: world.personOf(by), to };
  return decideApproval(input, world.context).catch((error: unknown) => {
    if (error instanceof GroupUnreadError) return { result: 'unread' as const };
    throw error;
  });
}

const approve = fc.uniqueArray(anyone, { minLength: 1, maxLength: 4 }).map((who) =>
  command(`${who.join(' and ')} approve at once`, async (model, world) => {
    for (const id of who) model.clicked.add(id);
    const results = await Promise.all(who.map((by) => click(world, { by, to: 'approved' })));
    if (results.some(({ result }) => result === 'decided')) {
      expect(who).not.toEqual([requester]);
    }
  }),
);

const denyOrWithdraw = fc
  .record({ by: anyone, to: fc.constantFrom('denied' as const, 'withdrawn' as const) })
  .map((given) =>
    command(`${given.to} by ${given.by}`, async (_, world) => {
      const { result } = await click(world, given);
      if (result !== 'decided') return;
      expect(given.by === requester).toBe(given.to === 'withdrawn');
      const named = initial.flatMap(({ from }) => from);
      const places = [given.by, ...world.standsInForOf(given.by)];
      const ids = places.flatMap((id) => [id, ...world.standingOf(id).groups]);
      if (given.to === 'denied') expect(named.some((id) => ids.includes(id))).toBe(true);
    }),
  );

const becomes = anyone.chain((who) =>
  standing(who).map((to) =>
    command(`${who} is now ${JSON.stringify(to)}`, async (_, world) => world.change(who, to)),
  ),
);

const awayFor = fc.record({
  approver: fc.oneof(anyone, fc.constant(requester)),
  named: fc.option(fc.record({ standIn: anyone, hours: fc.constantFrom(1, 4, 100) }), {
    nil: undefined,
    freq: 4,
  }),
});
const away = awayFor.map(({ approver, named }) =>
  command(`${approver} names ${JSON.stringify(named)}`, async (_, world) =>
    world.nameStandIn(approver, named),
  ),
);

const outage = fc
  .boolean()
  .map((isOut) =>
    command(`Slack ${isOut ? "doesn't return" : 'returns'} groups`, async (_, world) =>
      world.setOut(isOut),
    ),
  );

const changeRule = fc
  .record({ to: fc.option(rule, { nil: undefined }), isVoiding: fc.boolean() })
  .map(({ to, isVoiding }) =>
    command(`the rule is now ${JSON.stringify(to?.approvals)}`, async (_, world) => {
      const before = await world.find();
      await world.changeRule(to, { isVoiding });
      if (isVoiding && before.state === 'pending') {
        expect((await world.find()).state).toBe('voided');
      }
    }),
  );

const pass = fc.constantFrom(1, 5, 9).map((hours) =>
  command(`${hours} hours pass`, async (_, world) => {
    world.pass(hours * hour);
    await world.store.expire({ ...world.ref, at: world.now() });
  }),
);

/** What the run would find: it starts only for a rule that is unchanged and met at this moment. */
const run = fc.constant(undefined).map(() =>
  command('run', async (model, world) => {
    const approval = await world.find();
    if (approval.state !== 'approved') return;
    const action = world.context.bind(approval);
    const settings = await world.context.readSettings(approval.teamId);
    const stopped = await checkPeople(approval, action, { ...world.context, settings });
    if (stopped) return;
    const { votes } = approval;
    expect(couldMeet({ clicked: new Set(votes.map(({ by }) => by)) }, world, initial)).toBe(true);
    expect(couldMeet(model, world, world.rule()?.approvals ?? [])).toBe(true);
    if (namesApprovers(approval)) expect(world.rule()).toBeDefined();
  }),
);

const withoutRule = fc.constant(defaultRule);
const commands = [approve, approve, becomes, away, run];
const rare = [outage, denyOrWithdraw, changeRule, pass];
const runs = propertyRuns(150, 10);

describe.each(databases())('rules on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  it('are met by different people, all eligible at the decision and at the run', async () => {
    let approved = 0;
    const start = fc.record({
      rule: fc.oneof({ weight: 4, arbitrary: rule }, { weight: 1, arbitrary: withoutRule }),
      least: fc.constantFrom(1, 1, 1, 3),
      standings: fc.tuple(...people.map(standing)),
      standIns: fc.array(awayFor, { maxLength: 5, size: 'max' }),
    });
    const history = fc.commands([...commands, ...commands, ...commands, ...rare], {
      maxCommands: 25,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(start, history, async (given, calls) => {
        const world = await openRuledWorld(database.db, given);
        for (const { approver, named } of given.standIns) world.nameStandIn(approver, named);
        const { requiredApprovals: count, ...request } = await world.find();
        initial = neededApprovals({ ...request, requiredApprovals: count }, approvers);
        await fc.asyncModelRun(
          () => ({ model: { clicked: new Set<string>() }, real: world }),
          calls,
        );
        if ((await world.find()).state === 'approved') approved += 1;
      }),
      runs,
    );
    // The properties above aren't empty: many histories end approved. A sample may have none.
    if (runs.numRuns >= 100) expect(approved).toBeGreaterThan(runs.numRuns / 10);
  });
});
