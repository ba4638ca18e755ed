import { type Clock, type MonotonicClock, monotonicClock } from '../../clock.ts';
import type { Database } from '../../database/tables.ts';
import type { Logger } from '../../logger.ts';
import { isSamePerson } from '../../mailbox.ts';
import { findMember, type Person, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { AuthorizePerson } from '../../slack/interactions/authorize-caller.ts';
import { isUserGroup } from '../members.ts';
import { mayView, type NamedPeople } from '../permissions.ts';
import { hasNamedRoles, namedGroups } from '../settings/document.ts';
import { createGroupDirectory, type GroupDirectory, type GroupMembers } from './group-directory.ts';
import { createGroupStore } from './store/group-store.ts';
import { readStandIns, type StandIn } from './store/stand-in-store.ts';

/** People, and the groups among `ids` whose members Slack didn't return. */
export type Members = { people: string[]; unread: string[] };

export type Access = {
  /** Lets viewers continue. Adds their roles and the approvers they stand in for. */
  authorize: AuthorizePerson;
  /** Reads a person from Slack, with the same. */
  readPerson: (slack: SlackClient, slackUserId: string) => Promise<Person>;
  /** The same for the people of one decision: each person is read once, and the roles once for all. */
  openPeople: (slack: SlackClient) => (slackUserId: string) => Promise<Person>;
  /** The people among `ids`, and the members of the groups among them, each once. */
  listMembers: (slack: SlackClient, ids: readonly string[]) => Promise<Members>;
  /** The people who stand in for somebody at this moment, each with `standsInFor`. */
  listStandIns: (slack: SlackClient) => Promise<Person[]>;
  /** The people who are admins by their role; complete if Slack returned all groups. */
  listAdmins: (slack: SlackClient) => Promise<{ people: string[]; isComplete: boolean }>;
};

type OpenTeams = ReturnType<typeof createOpenTeams>;

/**
 * How long another process may take to notice that a workspace has named its first role, and so let
 * somebody look who isn't a viewer, or its first stand-in, and so let them click. Every right to act is
 * read from the settings at that moment, and what a click has done doesn't depend on this.
 */
const rememberedMs = 10_000;

/**
 * Caches which workspaces have no roles and no stand-ins, so that their commands need no extra query.
 * Existing ones are read at every command.
 */
export function createOpenTeams(now: MonotonicClock = monotonicClock) {
  const openUntil = new Map<string, number>();
  const saves = new Map<string, number>();
  const savesOf = (teamId: string) => saves.get(teamId) ?? 0;
  return {
    has: (teamId: string): boolean => (openUntil.get(teamId) ?? 0) > now(),
    /**
     * Call before reading roles and stand-ins. The returned function caches that there are none, unless
     * some were saved in between.
     */
    beginReading(teamId: string): () => void {
      const seen = savesOf(teamId);
      return () => {
        if (savesOf(teamId) === seen) openUntil.set(teamId, now() + rememberedMs);
      };
    },
    /** Call after settings or a stand-in were committed. */
    forget(teamId: string): void {
      saves.set(teamId, savesOf(teamId) + 1);
      openUntil.delete(teamId);
    },
  };
}

/** What affects permissions besides Slack: undefined and empty if nothing does. */
type Named = { settings: NamedPeople | undefined; standIns: StandIn[] };

/** What the roles of workspaces mean, with the members of user groups and the stand-ins kept in this database. */
export function openAccess({
  db,
  clock,
  log,
  ...given
}: {
  db: Database;
  readSettings: (teamId: string) => Promise<NamedPeople>;
  openTeams?: OpenTeams;
  clock: Clock;
  log: Logger;
}): Access {
  return createAccess({
    ...given,
    directory: createGroupDirectory({ store: createGroupStore(db), clock, log }),
    readStandIns: (teamId) => readStandIns(db, teamId, clock()),
  });
}

/** What the roles and stand-ins of a workspace mean for its people at this moment. */
export function createAccess({
  readSettings,
  readStandIns,
  directory,
  openTeams = createOpenTeams(),
}: {
  readSettings: (teamId: string) => Promise<NamedPeople>;
  /** Those that haven't ended. */
  readStandIns: (teamId: string) => Promise<StandIn[]>;
  directory: GroupDirectory;
  openTeams?: OpenTeams;
}): Access {
  /** `isClick`: a first stand-in may not be noticed yet. Others would undo or hide what it has done. */
  async function readNamed(teamId: string, { isClick = false } = {}): Promise<Named> {
    if (openTeams.has(teamId)) {
      return { settings: undefined, standIns: isClick ? [] : await readStandIns(teamId) };
    }
    const rememberOpen = openTeams.beginReading(teamId);
    const [settings, standIns] = await Promise.all([readSettings(teamId), readStandIns(teamId)]);
    if (hasNamedRoles(settings)) return { settings, standIns };
    if (standIns.length === 0) rememberOpen();
    return { settings: undefined, standIns };
  }

  const readGroups = async (slack: SlackClient, ids: readonly string[]): Promise<GroupMembers> =>
    ids.length > 0 ? directory.read(slack, ids) : new Map();

  function withStanding(person: Person, settings: NamedPeople, read: GroupMembers): Person {
    const { admins } = settings.access.roles;
    const groups = [...read].flatMap(([id, members]) =>
      members?.has(person.slackUserId) ? [id] : [],
    );
    const unreadGroups = [...read].flatMap(([id, members]) => (members ? [] : [id]));
    const ids = [person.slackUserId, ...groups];
    const isNamed = person.membership === 'member' && admins.some((id) => ids.includes(id));
    return {
      ...person,
      isAdmin: person.isAdmin || isNamed,
      standing: { groups, unreadGroups, admins },
    };
  }

  /**
   * `describe` adds a person's roles and the approvers they stand in for now. Those approvers are read
   * without their own, so nobody stands in for a stand-in.
   */
  async function openStandings(slack: SlackClient, by?: { isClick: boolean }) {
    const { settings, standIns } = await readNamed(slack.teamId, by);
    const read = settings && (await readGroups(slack, namedGroups(settings)));
    const withRoles = (person: Person) =>
      settings && read ? withStanding(person, settings, read) : person;
    async function describe(plain: Person): Promise<Person> {
      const person = withRoles(plain);
      const named = standIns.filter(({ standIn }) => standIn === person.slackUserId);
      if (named.length === 0 || person.membership !== 'member') return person;
      const approvers = await Promise.all(
        named.map(({ approver }) => findMember(readPerson(slack, approver))),
      );
      const standsInFor = approvers.flatMap((one) =>
        one && isSamePerson(one, person) === 'no' ? [withRoles(one)] : [],
      );
      return { ...person, standsInFor };
    }
    return { settings, standIns, describe };
  }

  async function listMembers(slack: SlackClient, ids: readonly string[]): Promise<Members> {
    const groups = ids.filter(isUserGroup);
    const people = ids.filter((id) => !isUserGroup(id));
    const read = await readGroups(slack, groups);
    return {
      people: [...new Set([...people, ...groups.flatMap((id) => [...(read.get(id) ?? [])])])],
      unread: groups.filter((id) => read.get(id) === undefined),
    };
  }

  return {
    async authorize(person, slack) {
      const { settings, describe } = await openStandings(slack, { isClick: true });
      const known = await describe(person);
      return !settings || mayView(known, settings) ? { person: known } : { refusal: notViewer };
    },

    async readPerson(slack, slackUserId) {
      const person = await readPerson(slack, slackUserId);
      return (await openStandings(slack)).describe(person);
    },

    openPeople(slack) {
      const people = new Map<string, Promise<Person>>();
      let standings: ReturnType<typeof openStandings> | undefined;
      const read = async (slackUserId: string) => {
        const person = await readPerson(slack, slackUserId);
        standings ??= openStandings(slack);
        return (await standings).describe(person);
      };
      return (slackUserId) => {
        const reading = people.get(slackUserId) ?? read(slackUserId);
        people.set(slackUserId, reading);
        return reading;
      };
    },

    listMembers,

    async listStandIns(slack) {
      const { standIns, describe } = await openStandings(slack);
      const ids = [...new Set(standIns.map(({ standIn }) => standIn))];
      const people = await Promise.all(ids.map((id) => findMember(readPerson(slack, id))));
      const described = await Promise.all(people.filter((one) => one !== undefined).map(describe));
      return described.filter(({ standsInFor = [] }) => standsInFor.length > 0);
    },

    async listAdmins(slack) {
      const { access } = await readSettings(slack.teamId);
      const { people, unread } = await listMembers(slack, access.roles.admins);
      return { people, isComplete: unread.length === 0 };
    },
  };
}

const notViewer =
  "You don't have access to Belay in this workspace. Nothing was changed. Ask an admin for access.";
