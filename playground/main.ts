import { parseArgs } from 'node:util';
import { people } from './people.ts';
import { createPlainLogger } from './plain-log.ts';
import { dialectOptions, readDialect } from './service/dialect-options.ts';
import { startPlayground } from './start-playground.ts';
import { createPage } from './web/serve-page.ts';

try {
  const { slackPort, dialect } = readChoices();
  // Building the page takes as long as starting the bot, so both run at once.
  const page = createPage({ openAs: people.ana });
  const [playground] = await Promise.all([
    startPlayground({
      slackPort,
      dialect,
      // A change that weakens a policy needs two approvers beside the requester.
      approvers: [people.ben, people.cleo],
      page: (request, response) => void page.then((serve) => serve(request, response)),
      log: createPlainLogger((line) => void process.stderr.write(line)),
    }),
    page,
  ]);
  console.log(`Playground: ${playground.slack.url}`);

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
  const options = { port: { type: 'string', default: '4390' }, ...dialectOptions } as const;
  const { port, ...chosen } = parseArgs({ options }).values;
  const slackPort = Number(port);
  if (!Number.isInteger(slackPort) || slackPort < 0 || slackPort > 65_535) {
    throw new Error(`--port ${port} is not a port: give a number from 0 to 65535`);
  }
  return { slackPort, dialect: readDialect(chosen) };
}
