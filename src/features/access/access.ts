import type { Clock } from '../../clock.ts';
import { type Person, readPerson } from '../../slack/api/person.ts';
import type { SlackClient } from '../../slack/api/slack-client.ts';
import type { AdmitPerson } from '../../slack/listeners/authorize-caller.ts';
import {
  hasNamedRoles,
  isUserGroup,
  mayView,
  type NamedPeople,
  namedGroups,
} from '../workspaces/index.ts';
import type { GroupDirectory, GroupMembers } from './group-directory.ts';

/** People, and the groups among `ids` whose members Slack didn't return. */
export type Members = { people: string[]; unread: string[] };

export type Access = {
  /** Lets viewers continue, with what the roles say about them. */
  admit: AdmitPerson;
  /** Reads a person as Slack describes them now, with what the roles say about them. */
  readPerson: (slack: SlackClient, slackUserId: string) => Promise<Person>;
  /** The same for the people of one decision: each is read once, and the roles once for all of them. */
  openPeople: (slack: SlackClient) => (slackUserId: string) => Promise<Person>;
  /** The people among `ids`, and the members of the groups among them, each once. */
  listMembers: (slack: SlackClient, ids: readonly string[]) => Promise<Members>;
  /** The people who are admins by their role; complete if Slack returned all groups. */
  listAdmins: (slack: SlackClient) => Promise<{ people: string[]; isComplete: boolean }>;
};

export type OpenTeams = ReturnType<typeof createOpenTeams>;

/**
 * How long another process may take to notice that a workspace has named its first role, and so let
 * somebody look who isn't a viewer. Every right to act is read from the settings at that moment.
 */
const rememberedMs = 10_000;

/**
 * Remembers which workspaces have named no roles, so that their commands cost no statement more. Once
 * roles are named, they are read at every command.
 */
export function createOpenTeams(clock: Clock) {
  const openUntil = new Map<string, number>();
  const saves = new Map<string, number>();
  const savesOf = (teamId: string) => saves.get(teamId) ?? 0;
  return {
    has: (teamId: string): boolean => (openUntil.get(teamId) ?? 0) > clock().getTime(),
    /**
     * Comes before the settings are read. Returns what remembers that they name no roles, unless others
     * were saved in between.
     */
    beginReading(teamId: string): () => void {
      const seen = savesOf(teamId);
      return () => {
        if (savesOf(teamId) === seen) openUntil.set(teamId, clock().getTime() + rememberedMs);
      };
    },
    /** Comes after settings were committed. */
    forget(teamId: string): void {
      saves.set(teamId, savesOf(teamId) + 1);
      openUntil.delete(teamId);
    },
  };
}

/** What the roles of a workspace mean for its people at this moment. */
export function createAccess({
  readSettings,
  directory,
  openTeams,
}: {
  readSettings: (teamId: string) => Promise<NamedPeople>;
  directory: GroupDirectory;
  openTeams: OpenTeams;
}): Access {
  async function readNamed(teamId: string): Promise<NamedPeople | undefined> {
    if (openTeams.has(teamId)) return undefined;
    const rememberOpen = openTeams.beginReading(teamId);
    const settings = await readSettings(teamId);
    if (hasNamedRoles(settings)) return settings;
    rememberOpen();
    return undefined;
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

  /** What completes people with what the roles say about them now. */
  async function openStandings(slack: SlackClient): Promise<(person: Person) => Person> {
    const settings = await readNamed(slack.teamId);
    if (!settings) return (person) => person;
    const read = await readGroups(slack, namedGroups(settings));
    return (person) => withStanding(person, settings, read);
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
    async admit(person, slack) {
      const settings = await readNamed(slack.teamId);
      if (!settings) return { person };
      const known = withStanding(person, settings, await readGroups(slack, namedGroups(settings)));
      return mayView(known, settings) ? { person: known } : { refusal: notViewer };
    },

    async readPerson(slack, slackUserId) {
      const person = await readPerson(slack, slackUserId);
      return (await openStandings(slack))(person);
    },

    openPeople(slack) {
      const people = new Map<string, Promise<Person>>();
      let standings: ReturnType<typeof openStandings> | undefined;
      const read = async (slackUserId: string) => {
        const person = await readPerson(slack, slackUserId);
        standings ??= openStandings(slack);
        return (await standings)(person);
      };
      return (slackUserId) => {
        const reading = people.get(slackUserId) ?? read(slackUserId);
        people.set(slackUserId, reading);
        return reading;
      };
    },

    listMembers,

    async listAdmins(slack) {
      const { access } = await readSettings(slack.teamId);
      const { people, unread } = await listMembers(slack, access.roles.admins);
      return { people, isComplete: unread.length === 0 };
    },
  };
}

const notViewer =
  "You don't have access to Belay in this workspace. Nothing was changed. Ask an admin for access.";
