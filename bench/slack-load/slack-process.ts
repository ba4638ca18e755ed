import { actAs } from '../../playground/act-as.ts';
import { people as known } from '../../playground/people.ts';
import { readManifest } from '../../playground/read-manifest.ts';
import { startLocalSlack } from '../../playground/slack/local-slack.ts';
import { createWorkspace, type WorkspacePerson } from '../../playground/slack/workspace.ts';
import { changeSetup } from '../../test/support/set-up.ts';
import { peopleFor } from '../start/send-many.ts';
import { type SlackOrder, type SlackReady, slackOrder } from './messages.ts';
import { sendLoad } from './send-load.ts';
import { startSlackProxy } from './slack-proxy.ts';

/**
 * A child process: a local Slack whose people send the number of commands in its argument, and
 * measures how long the answers take.
 */
process.once('disconnect', () => process.exit());
const workspace = createWorkspace();
const { botToken, signingSecret } = workspace.app;
workspace.app.scopes = readManifest().oauth_config.scopes.bot;
const people = peopleFor(Number(process.argv[2]), workspace.teamId);
const slack = await startLocalSlack({
  workspace: { ...workspace, people: [...workspace.people, ...people] },
});
const proxy = await startSlackProxy(slack, { people, botToken });
const sender = { proxy, workspace, nextPerson: inTurns(people) };

process.on('message', async (message) => {
  process.send?.(await carryOut(slackOrder.parse(message)));
});
process.send?.({ apiUrl: proxy.apiUrl, botToken, signingSecret } satisfies SlackReady);

async function carryOut(order: SlackOrder): Promise<object> {
  if (order.kind === 'load') return sendLoad(sender, order);
  slack.connectApp(order.requestUrl);
  const { portalId, token } = order;
  await changeSetup(actAs(slack, known.cleo), { region: portalId, token, unit: null });
  return {};
}

function inTurns(all: readonly WorkspacePerson[]): () => WorkspacePerson {
  let turn = 0;
  return () => {
    const person = all[turn % all.length];
    turn += 1;
    if (!person) throw new Error('nobody can send commands');
    return person;
  };
}
