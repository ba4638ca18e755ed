import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startLocalSlack } from '../../../playground/slack/local-slack.ts';
import { createWorkspace } from '../../../playground/slack/workspace.ts';
import { renderHome } from '../../../src/features/home/render-home.ts';
import { createLogger } from '../../../src/logger.ts';
import { readPerson } from '../../../src/slack/api/person.ts';
import { section } from '../../../src/slack/ui/blocks.ts';
import { createOpenTeams, openAccess } from '../../../src/workspace/access/access.ts';
import { maxAgeMs } from '../../../src/workspace/access/group-directory.ts';
import {
  GroupUnreadError,
  isAdmin,
  mayAudit,
  mayDecide,
  mayRequest,
  mayView,
  type NamedPeople,
} from '../../../src/workspace/permissions.ts';
import { defaultAccess } from '../../../src/workspace/settings/document.ts';
import { openAnyDatabase } from '../../support/databases.ts';
import { propertyRuns } from '../../support/sampling.ts';
import { clientsWithToken } from '../../support/slack-clients.ts';

const groups = ['S0SECURITY', 'S0STORAGE1'] as const;
/** Of them Cleo is an admin of Slack, and Gus a guest. */
const persons = ['U0ANA00001', 'U0BEN00002', 'U0CLEO0003', 'U0GUS00004'] as const;
const [, , cleo, gus] = persons;

const person = fc.constantFrom(...persons);
const group = fc.constantFrom(...groups);
const named = fc.uniqueArray(fc.oneof(person, group, group), { maxLength: 2 });
const roles = fc.record({
  viewers: named,
  operators: named,
  approvers: named,
  auditors: named,
  admins: named,
});
type Named = typeof roles extends fc.Arbitrary<infer T> ? T : never;

/** What happens in Slack and in setup. After each, everybody's rights are asked for. */
const event = fc.oneof(
  fc.record({ type: fc.constant('members' as const), group, members: fc.subarray([...persons]) }),
  fc.record({ type: fc.constant('disable' as const), group, isDisabled: fc.boolean() }),
  fc.record({ type: fc.constant('roles' as const), roles }),
  fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(30_000, 60_000) }),
  fc.record({ type: fc.constant('outage' as const), isOut: fc.boolean() }),
);

const secret = 'only for viewers';
const secretPart = { title: 'Part', read: async () => [section(secret)] };

const rights = {
  view: mayView,
  request: mayRequest,
  decide: (who: Parameters<typeof isAdmin>[0], { approvers }: NamedPeople) =>
    mayDecide(who, approvers),
  audit: mayAudit,
  administer: (who: Parameters<typeof isAdmin>[0]) => isAdmin(who),
};
type Right = keyof typeof rights;

/** The same in words of sets: `isIn` says whether the person is among these ids. */
function expected(roles: Named, who: string, isIn: (ids: string[]) => boolean) {
  if (who === gus)
    return { view: false, request: false, decide: false, audit: false, administer: false };
  const administer = who === cleo || isIn(roles.admins);
  const has = (ids: string[], otherwise: boolean) => (ids.length > 0 ? isIn(ids) : otherwise);
  const decide = has(roles.approvers, administer);
  const anywhere = isIn(Object.values(roles).flat()) || who === cleo;
  const view = roles.viewers.length === 0 || anywhere;
  return {
    view,
    decide,
    administer,
    request: has(roles.operators, view),
    audit: administer || has(roles.auditors, isIn(roles.approvers)),
  } satisfies Record<Right, boolean>;
}

test('nobody has a right without the role while people leave groups and Slack fails to return them', async () => {
  const workspace = createWorkspace();
  const slack = await startLocalSlack({ workspace });
  const { db, close } = await openAnyDatabase();
  const clients = clientsWithToken(workspace.app.botToken, { slackApiUrl: slack.apiUrl });
  const client = await clients.clientFor(workspace.teamId);
  let now = new Date('2026-11-23T09:00:00Z').getTime();
  let settings: Named = { viewers: [], operators: [], approvers: [], auditors: [], admins: [] };
  const clock = () => new Date(now);
  const openTeams = createOpenTeams(() => now);
  const access = openAccess({
    db,
    readSettings: async () => namedPeople(settings),
    clock,
    log: createLogger('silent'),
    openTeams,
  });

  await fc.assert(
    fc.asyncProperty(roles, fc.array(event, { maxLength: 15 }), async (initial, events) => {
      settings = initial;
      openTeams.forget(client.teamId);
      slack.reset();
      await db.deleteFrom('user_group').execute();
      let isOut = false;
      /** Who was in a group, from when on. */
      let history = groups.map((id) => ({
        id,
        at: now - maxAgeMs,
        members: workspace.userGroups.find(({ groupId }) => groupId === id)?.members ?? [],
      }));
      const members = new Map<string, string[]>(history.map((one) => [one.id, one.members]));
      const disabled = new Set<string>();
      const record = (id: (typeof groups)[number]) => {
        const current = disabled.has(id) ? [] : (members.get(id) ?? []);
        history = [...history, { id, at: now, members: current }];
      };
      /** The members that Slack had within the last minute, each state of them. */
      const recent = (id: string) => {
        const states = history.filter((one) => one.id === id);
        const from = states.findLastIndex(({ at }) => at <= now - maxAgeMs);
        return states.slice(Math.max(0, from));
      };
      for (const [turn, one] of events.entries()) {
        switch (one.type) {
          case 'members':
            slack.setGroup(one.group, { members: one.members });
            members.set(one.group, one.members);
            record(one.group);
            break;
          case 'disable':
            slack.setGroup(one.group, { isDisabled: one.isDisabled });
            if (one.isDisabled) disabled.add(one.group);
            else disabled.delete(one.group);
            record(one.group);
            break;
          case 'roles':
            settings = one.roles;
            openTeams.forget(client.teamId);
            break;
          case 'wait':
            now += one.ms;
            break;
          case 'outage':
            isOut = one.isOut;
            break;
        }
        for (const id of persons) await checkRights(id);
        // One of them, because it takes as long as all the rest.
        await checkHome(persons[turn % persons.length] ?? cleo);
      }

      /** What a person may do at most and at least, by the groups of the last minute. */
      function boundsOf(asked: string) {
        const isInAll = (id: string) =>
          recent(id).every(({ members: then }) => then.includes(asked));
        const isInAny = (id: string) =>
          recent(id).some(({ members: then }) => then.includes(asked));
        const isGroup = (id: string) => id.startsWith('S');
        const most = expected(settings, asked, (ids) =>
          ids.some((id) => id === asked || (isGroup(id) && isInAny(id))),
        );
        const least = expected(settings, asked, (ids) =>
          ids.some((id) => id === asked || (isGroup(id) && isInAll(id))),
        );
        return { most, least };
      }

      /** A person without access reads nothing: no list, no request, and no part of Home. */
      async function checkHome(asked: string): Promise<void> {
        const person = await readPerson(client, asked);
        const { blocks, isComplete } = await renderHome(
          { teamId: client.teamId, person, directChannelId: undefined, slack: client },
          { parts: [secretPart], authorize: access.authorize, log: createLogger('silent') },
        );
        const { most, least } = boundsOf(asked);
        const isRead = JSON.stringify(blocks).includes(secret);
        if (isRead) expect({ asked, may: most.view }).toEqual({ asked, may: true });
        else if (isComplete) expect({ asked, may: least.view }).toEqual({ asked, may: false });
      }

      async function checkRights(asked: string): Promise<void> {
        if (isOut) {
          for (const _ of groups) slack.failNext('usergroups.users.list', 'fatal_error');
        }
        const who = await access.readPerson(client, asked);
        const { most, least } = boundsOf(asked);
        for (const right of ['view', 'request', 'decide', 'audit', 'administer'] as const) {
          const answer = ask(() => rights[right](who, namedPeople(settings)));
          const shown = { right, asked, answer };
          if (answer === 'unknown') {
            expect({ ...shown, needsGroup: !isKnownToHave(settings, asked)[right] }).toEqual({
              ...shown,
              needsGroup: true,
            });
          } else if (answer)
            expect({ ...shown, may: most[right] }).toEqual({ ...shown, may: true });
          else expect({ ...shown, may: least[right] }).toEqual({ ...shown, may: false });
        }
      }
    }),
    propertyRuns(300, 15),
  );
  await slack.close();
  await close();
}, 360_000);

function namedPeople({ approvers, ...others }: Named): NamedPeople {
  return { approvers, access: { ...defaultAccess, roles: others } };
}

/** Rights that a person has by name, or as an admin of Slack, need no group. */
function isKnownToHave(roles: Named, who: string) {
  return expected(roles, who, (ids) => ids.includes(who));
}

function ask(right: () => boolean): boolean | 'unknown' {
  try {
    return right();
  } catch (error) {
    if (error instanceof GroupUnreadError) return 'unknown';
    throw error;
  }
}
