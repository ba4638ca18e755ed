import { randomBytes } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readManifest } from '../playground/read-manifest.ts';
import { serveOnly } from '../src/database/served-teams.ts';
import type { Tables } from '../src/database/tables.ts';
import { nouns, userVerbs } from '../src/features/help/grammar.ts';
import { helpTopics } from '../src/features/help/topics.ts';
import { openStores } from '../src/open-stores.ts';
import { registerFeatures } from '../src/register-features.ts';
import { eventScopes, groupScopes, requiredScopes } from '../src/slack/api/installation.ts';
import type { Listeners } from '../src/slack/interactions/listeners.ts';
import { moreMenuActionId } from '../src/slack/ui/more-menu.ts';
import { everyView } from './features/every-view.ts';
import { hostileSamples } from './features/samples.ts';
import { noServer } from './support/no-server.ts';

const manifest = readManifest();

/** Nothing is read or written while listeners are registered. */
const withoutDatabase = new Kysely<Tables>({ dialect: noServer });

/** The commands and ids that the features register listeners for. */
function registered() {
  const commands: string[] = [];
  let subcommandOf = (_: string): string | undefined => undefined;
  const actionIds: string[] = [];
  const callbackIds: string[] = [];
  const unused = () => {
    throw new Error('registering must not call this');
  };
  const listeners: Listeners = {
    message: () => undefined,
    command(name, _, known = subcommandOf) {
      commands.push(name);
      subcommandOf = known;
    },
    action: (actionId) => void actionIds.push(actionId),
    opens: (actionId) => void actionIds.push(actionId),
    pages: (pager) => void actionIds.push(...pager.actionIds),
    form: ({ id }) => void callbackIds.push(id),
  };
  registerFeatures(listeners, {
    approvals: {
      logMissingRight: unused,
      request: unused,
      inspectSubjects: unused,
      decide: unused,
      openDecision: unused,
      decideInList: unused,
      warnOfRefusal: unused,
      listWaiting: unused,
      describeOpen: unused,
      find: unused,
      readBody: unused,
      showRequests: unused,
      listStartedTasks: unused,
      showOnHome: unused,
      follow: unused,
      hideUndo: unused,
      askAboutOpen: unused,
      logOutsider: unused,
      openReview: unused,
      review: unused,
      work: {
        start: unused,
        advance: { start: unused },
        publish: { start: unused },
        finish: unused,
        stop: unused,
      },
      remind: { start: unused, finish: unused, stop: unused },
      prune: unused,
    },
    openService: unused,
    openSettings: unused,
    access: {
      authorize: unused,
      readPerson: unused,
      openPeople: unused,
      listMembers: unused,
      listStandIns: unused,
      listAdmins: unused,
    },
    adminDirectory: { read: unused },
    stores: openStores(withoutDatabase, {
      encryptionKeys: [randomBytes(32)],
      isServed: serveOnly('T0'),
    }),
    regions: [],
    probe: unused,
    tokenPages: undefined,
    listUnits: unused,
    userExists: unused,
    reportAlert: unused,
    examine: unused,
    policyIntervalMs: 900_000,
    clock: unused,
  });
  return { commands, subcommandOf, actionIds, callbackIds };
}

/** Every id that Slack can send back: those of buttons and selects that dispatch actions, and of forms. */
function emitted() {
  const ids = { actionIds: new Set<string>(), callbackIds: new Set<string>() };
  const option = z.looseObject({ value: z.string() });
  const interactive = z.object({ action_id: z.string(), options: z.array(option).optional() });
  const block = z.looseObject({ type: z.string(), elements: z.array(z.unknown()).default([]) });
  const view = z.object({ callback_id: z.string().optional(), blocks: z.array(block) });

  for (const shown of Object.values(everyView(hostileSamples('x'))).flat()) {
    const { callback_id: callbackId, blocks } = view.parse(shown);
    if (callbackId) ids.callbackIds.add(callbackId);
    for (const { type, elements, ...rest } of blocks) {
      // The value of an input arrives with the submission, unless it dispatches an action.
      if (type === 'input' && rest.dispatch_action !== true) continue;
      for (const element of [...elements, rest.accessory, rest.element]) {
        const { action_id: id, options } = interactive.safeParse(element).data ?? {};
        // Each option of such a menu runs the listener of a button.
        const chosen =
          id === moreMenuActionId ? options?.map(({ value }) => value.split(' ')[0]) : [id];
        for (const one of chosen ?? []) if (one !== undefined) ids.actionIds.add(one);
      }
    }
  }
  return { actionIds: [...ids.actionIds].sort(), callbackIds: [...ids.callbackIds].sort() };
}

test('every id in a view has exactly one listener, and every listener is used by a view', () => {
  const { actionIds, callbackIds } = registered();
  expect(emitted()).toEqual({ actionIds: actionIds.sort(), callbackIds: callbackIds.sort() });
  expect(actionIds.length).toBeGreaterThan(8);
});

const everySubcommand = [...Object.keys(nouns), ...Object.keys(userVerbs), 'policy', 'bulk'];

test('the usage hint of the command names a few subcommands', () => {
  const [hint] = manifest.features.slash_commands.map(({ usage_hint }) => usage_hint?.split(' | '));
  expect(hint).toHaveLength(8);
  expect(everySubcommand).toEqual(expect.arrayContaining(hint ?? []));
});

test('every word of the grammar has a subcommand, and all but two have a help topic', () => {
  const { subcommandOf } = registered();
  const lines = everySubcommand.map((name) => (name === 'policy' ? 'policy Gold' : name));
  expect(lines.map(subcommandOf)).toEqual(everySubcommand);
  const explained = helpTopics.flatMap(({ subcommands }) => subcommands);
  expect([...explained, 'help', 'version'].sort()).toEqual(everySubcommand.toSorted());
});

test('the manifest lists exactly the commands, shortcuts and events that the code listens to', () => {
  const { commands } = registered();
  expect(manifest.features.slash_commands.map(({ command }) => command)).toEqual(commands);
  expect(manifest.features.shortcuts).toEqual([]);
  const source = sourceOf('src');
  const events = [...source.matchAll(/\bapp\.event\('(\w+)'/g)].map(([, event = '']) => event);
  // The listener for messages answers direct messages only.
  const subscribed = manifest.settings.event_subscriptions?.bot_events ?? [];
  expect(subscribed.map((event) => event.replace(/\.im$/, '')).sort()).toEqual(events.sort());
  // `({}` is the listener for unknown ids, which only acknowledges and answers.
  expect(source).not.toMatch(/\bapp\.(shortcut|options|message)\((?!\{\})/);
});

/** The scopes that each event needs. */
const scopesOfEvents: Record<string, string[]> = {
  'message.im': ['im:history'],
  app_mention: ['app_mentions:read'],
  app_home_opened: [],
  app_uninstalled: [],
  tokens_revoked: [],
};

/** The scopes that each Web API method needs. auth.test, views.* and chat.getPermalink need none. */
const scopesOf: Record<string, string[]> = {
  'auth.test': [],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
  'chat.postMessage': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.getPermalink': [],
  // Only direct messages are read, with the scope of their event; without it the search is skipped.
  'conversations.history': [],
  'conversations.open': ['im:write'],
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.members': ['channels:read', 'groups:read'],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'users.list': ['users:read'],
};

test('the manifest installs in workspaces and whole organizations, with tokens that do not expire', () => {
  const { settings } = manifest;
  expect(settings).toMatchObject({ org_deploy_enabled: true, token_rotation_enabled: false });
});

test('the manifest requests exactly the scopes that the calls in the code need', () => {
  const source = sourceOf('src/slack');
  const methods = [
    ...new Set(
      [...source.matchAll(/\bslack\.(\w+(?:\.\w+)+)\(/g)].map(([, method = '']) => method),
    ),
  ];
  expect(methods.sort()).toEqual(Object.keys(scopesOf).sort());
  const needed = new Set(['commands', ...methods.flatMap((method) => scopesOf[method] ?? [])]);
  if (/profile\?*\.email/.test(source)) needed.add('users:read.email');
  const ofEvents = (manifest.settings.event_subscriptions?.bot_events ?? []).flatMap(
    (event) => scopesOfEvents[event] ?? [`the scopes of ${event}`],
  );
  expect([...manifest.oauth_config.scopes.bot].sort()).toEqual([...needed, ...ofEvents].sort());
  // Doctor compares the token's scopes with these.
  const required = [...requiredScopes, ...groupScopes];
  expect(required.sort()).toEqual([...needed].sort());
  expect([...eventScopes].sort()).toEqual(ofEvents.sort());
});

function sourceOf(folder: string): string {
  const cwd = new URL('..', import.meta.url);
  return globSync(`${folder}/**/*.ts`, { cwd })
    .map((file) => readFileSync(new URL(file, cwd), 'utf8'))
    .join('\n');
}
