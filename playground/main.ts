import { parseArgs } from 'node:util';
import { createAdjustableClock } from './adjustable-clock.ts';
import { people } from './people.ts';
import { createPlainLogger } from './plain-log.ts';
import { dialectOptions, readDialect } from './service/dialect-options.ts';
import { sampleOrganization } from './slack/more-workspaces.ts';
import { startPlayground } from './start-playground.ts';
import { planStory } from './story/story-times.ts';
import { createPage } from './web/serve-page.ts';

try {
  const { slackPort, dialect, workspaces } = readChoices();
  const now = new Date();
  // The others begin with installing Belay.
  const story = workspaces === 1 ? planStory(now) : undefined;
  // Building the page takes as long as starting the bot, so both run at once.
  const page = createPage({ openAs: people.ana, isDemo: true });
  const [playground] = await Promise.all([
    startPlayground({
      slackPort,
      dialect,
      workspaces,
      ...(workspaces >= 3 ? { organization: sampleOrganization } : {}),
      // A change that weakens a policy needs two approvers beside the requester.
      approvers: [people.ben, people.cleo],
      tokenOwner: 'zoe.fischer@example.com',
      ...(story ? { story } : {}),
      adjustableClock: createAdjustableClock(story?.begin ?? now),
      // What is changed in the service with the page's controls is posted within seconds.
      intervals: { pollWatches: 500, observePolicies: 500 },
      env: { BELAY_POLICY_READ_MINUTES: '1' },
      page: (request, response) => void page.then((serve) => serve(request, response)),
      log: createPlainLogger((line) => void process.stderr.write(line)),
    }),
    page,
  ]);
  console.log(`Playground: ${playground.slack.url}`);
  const { people: persons } = playground.slack.snapshot(people.ana);
  console.log(
    `People: ${persons.map(({ realName, title }) => `${realName} (${title})`).join(', ')}`,
  );
  // Setup in other workspaces and more connections ask for a token.
  for (const { label, token } of playground.service.portals) {
    console.log(`API token for ${label}: ${token}`);
  }

  const stop = async () => {
    await playground.stop();
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  const why = isTaken ? `${error.message}; choose another port with -- --port N` : String(error);
  process.stderr.write(`Couldn't start the playground: ${why}\n`);
  process.exit(1);
}

function readChoices() {
  const options = {
    port: { type: 'string', default: '4390' },
    workspaces: { type: 'string', default: '1' },
    ...dialectOptions,
  } as const;
  const { port, workspaces: several, ...chosen } = parseArgs({ options }).values;
  const slackPort = Number(port);
  if (!Number.isInteger(slackPort) || slackPort < 0 || slackPort > 65_535) {
    throw new Error(`--port ${port} is not a port: give a number from 0 to 65535`);
  }
  const workspaces = Number(several);
  if (!Number.isInteger(workspaces) || workspaces < 1 || workspaces > 100) {
    throw new Error(`--workspaces ${several} is not a number from 1 to 100`);
  }
  return { slackPort, workspaces, dialect: readDialect(chosen) };
}
