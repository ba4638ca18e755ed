import type { KyselyPlugin, RootOperationNode } from 'kysely';
import { expect, inject, test } from 'vitest';
import { people } from '../../../playground/people.ts';
import { ask, heardBack, seeAgain } from '../../support/ask.ts';
import { openFromTemplate } from '../../support/database-template.ts';
import { shareWorld } from '../../support/world.ts';

const statements: string[] = [];

/** Notes the kind and the table of every statement. */
const noteStatements: KyselyPlugin = {
  transformQuery({ node }) {
    statements.push(`${node.kind.replace('QueryNode', '')} ${tableOf(node)}`);
    return node;
  },
  transformResult: async ({ result }) => result,
};

function tableOf(node: RootOperationNode): string {
  return (
    /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(JSON.stringify(node))?.[1] ?? ''
  );
}

const world = shareWorld({
  approvers: [people.ben, people.cleo],
  async openDatabase() {
    const { db, ...opened } = await openFromTemplate(inject('databaseTemplate'));
    return { ...opened, db: db.withPlugin(noteStatements) };
  },
});

const command = '/belay disable joana.prado@example.com';
const ofFollowers = () => statements.filter((one) => one.endsWith(' approval_follower'));

test('a decision needs no statement and no call to Slack for approvers in the channel', async () => {
  const { ana, ben, slack } = world();
  statements.splice(0);
  const request = await ask(ana, command);
  // Recorded with the request, read once, and found to need no message.
  const asked = ['Insert', 'Select', 'Update'].map((kind) => `${kind} approval_follower`);
  await expect.poll(ofFollowers).toEqual(asked);

  statements.splice(0);
  const calls = slack.calls.length;
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  expect(ofFollowers()).toEqual([]);
  const methods = slack.calls.slice(calls).map(({ method }) => method);
  expect(methods).not.toContain('conversations.members');
});
