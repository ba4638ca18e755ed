import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppOptions, type Belay, startBelay } from '../src/app.ts';
import { systemClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import type { Dialect } from '../src/dataprotection/dialects/dialect.ts';
import { defaultTimings } from '../src/features/watches/timings.ts';
import type { AdjustableClock } from './adjustable-clock.ts';
import { createAlertChanger } from './controls/change-alerts.ts';
import { createPolicyChanger } from './controls/change-policies.ts';
import { createClockMover } from './controls/move-clock.ts';
import { type Controls, serveControls } from './controls/serve-controls.ts';
import { openBrowser } from './install-browser.ts';
import { makeEnvironment } from './make-environment.ts';
import { people } from './people.ts';
import { workspaceFromManifest } from './read-manifest.ts';
import {
  type Portal,
  type ReferenceService,
  type ReferenceServiceOptions,
  startReferenceService,
} from './service/start-service.ts';
import { setUpBelay } from './set-up-belay.ts';
import type { Organization } from './slack/installations/installation.ts';
import { type LocalSlack, type LocalSlackOptions, startLocalSlack } from './slack/local-slack.ts';
import { createOtherWorkspace } from './slack/more-workspaces.ts';
import type { Workspace } from './slack/workspace.ts';
import { playStory } from './story/play-story.ts';
import type { StoryTimes } from './story/story-times.ts';

export type PlaygroundOptions = AppOptions & {
  slackPort?: number;
  servicePort?: number;
  page?: LocalSlackOptions['page'];
  /** Which dialect of the interface the service speaks, and Belay with it. */
  dialect?: Dialect;
  service?: ReferenceServiceOptions;
  databaseUrl?: string;
  /** Socket Mode instead of signed HTTP. */
  socketMode?: boolean;
  /** Serves health and metrics on a free port. */
  health?: boolean;
  /**
   * How many workspaces the local Slack has. With several, people install Belay by OAuth; it is
   * installed in the first one already.
   */
  workspaces?: number;
  /** An organization of some of the workspaces. */
  organization?: Organization;
  /** False skips setup. */
  isSetUp?: boolean;
  /**
   * The clock of Belay, Slack and the service, instead of `clock`. What is changed with the page's
   * controls moves it, so that Belay reads the change at once.
   */
  adjustableClock?: AdjustableClock;
  /**
   * Fills #ops with what happened in the last days. Needs an `adjustableClock` that shows when it begins,
   * and one workspace.
   */
  story?: StoryTimes;
  /** Slack user ids; Ben by default. */
  approvers?: string[];
  /** The email address of the service's user who owns the API token; none by default. */
  tokenOwner?: string;
  /** More of the environment that the bot is started with. */
  env?: Record<string, string>;
};

export type Playground = {
  slack: LocalSlack;
  service: ReferenceService;
  belay: Belay;
  workspace: Workspace;
  /** The environment the bot was started with. */
  env: Record<string, string>;
  stop: () => Promise<void>;
};

/** Starts the real bot between a local Slack and a reference service. */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { adjustableClock, organization, isSetUp = true, workspaces: count = 1 } = options;
  const clock = adjustableClock?.now ?? options.clock;
  const isInstalledByOAuth = count > 1;
  const service = await startReferenceService({
    port: options.servicePort ?? 0,
    ...(options.dialect ? { dialect: options.dialect } : {}),
    ...(adjustableClock ? { clock: adjustableClock.now } : {}),
    ...options.service,
  });
  const [portal] = service.portals;
  if (!portal) throw new Error('the reference service has no portal');
  const controls = createControls(service, portal, options);
  const workspace = workspaceFromManifest(!isInstalledByOAuth);
  const slack: LocalSlack = await startLocalSlack({
    workspace,
    workspaces: Array.from({ length: count - 1 }, (_, index) =>
      createOtherWorkspace(workspace.app, index + 2),
    ),
    ...(organization ? { organization } : {}),
    port: options.slackPort ?? 0,
    ...(clock ? { clock } : {}),
    ...(adjustableClock ? { requestClock: adjustableClock.now } : {}),
    ...(options.page
      ? {
          page: serveControls(options.page, {
            ...controls,
            moveClock: adjustableClock && createClockMover(adjustableClock, () => slack.refresh()),
          }),
        }
      : {}),
  });
  const folder = await mkdtemp(join(tmpdir(), 'belay-playground-'));
  const { databaseUrl, socketMode, health } = options;
  const made = await makeEnvironment({
    folder,
    app: workspace.app,
    slack,
    service,
    databaseUrl,
    socketMode,
    health,
    isInstalledByOAuth,
  });
  const env = { ...made, ...options.env };
  // A test that moves the clock means durations too, unless it has another clock for them.
  const monotonicClock = options.monotonicClock ?? (clock && (() => clock().getTime()));
  const appOptions = {
    ...options,
    ...(clock && { clock }),
    ...(monotonicClock && { monotonicClock }),
  };
  const { story } = options;
  const told =
    story && adjustableClock
      ? await playStory({
          ...controls,
          slack,
          service,
          portal,
          clock: adjustableClock,
          times: story,
          config: readConfig({ ...env, SLACK_APP_TOKEN: workspace.app.appToken }),
          appOptions,
          setUp: options,
        })
      : undefined;
  const belay = await startBelay(readConfig(env), {
    ...appOptions,
    ...(told && { openDatabase: async () => told }),
  });
  if (belay.port !== undefined) slack.connectApp(`http://127.0.0.1:${belay.port}/slack/events`);
  if (isInstalledByOAuth) {
    const browser = openBrowser({ slack, publicUrl: env.BELAY_PUBLIC_URL ?? '' });
    const { status, html } = await browser.install(workspace.teamId, people.cleo);
    if (status !== 200) throw new Error(`Belay couldn't be installed: ${html}`);
  }
  if (isSetUp && !told) await setUpBelay(slack, service, options);

  return {
    slack,
    service,
    belay,
    workspace,
    env,
    async stop() {
      await belay.stop();
      await Promise.all([slack.close(), service.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Change the portal that Belay is connected to. */
function createControls(
  service: ReferenceService,
  portal: Portal,
  { adjustableClock, env, service: { clock = systemClock } = {} }: PlaygroundOptions,
): Controls {
  const changeAlerts = createAlertChanger({
    service,
    portal,
    clock: adjustableClock?.now ?? clock,
  });
  const changePolicies = createPolicyChanger({ service, portal });
  const policyReadMs = Number(env?.BELAY_POLICY_READ_MINUTES ?? 0) * 60_000;
  return {
    changeAlerts(change) {
      const answer = changeAlerts(change);
      adjustableClock?.moveBy(defaultTimings.pollIntervalMs);
      return answer;
    },
    changePolicies(change) {
      const answer = changePolicies(change);
      adjustableClock?.moveBy(policyReadMs);
      return answer;
    },
  };
}
