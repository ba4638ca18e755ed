import type { KyselyPlugin } from 'kysely';
import { expect, inject, test } from 'vitest';
import { people } from '../../playground/people.ts';
import { ask, heardBack, seeAgain } from '../support/ask.ts';
import { openFromTemplate } from '../support/database-template.ts';
import { shareWorld } from '../support/world.ts';

const statements: string[] = [];

/** Notes the kind and the table of every statement, and the name of the one that is part of it, if any. */
const noteStatements: KyselyPlugin = {
  transformQuery({ node }) {
    const text = JSON.stringify(node);
    const part = /"CommonTableExpressionNameNode".*?"IdentifierNode","name":"(\w+)"/.exec(
      text,
    )?.[1];
    const kind = node.kind.replace('QueryNode', '');
    statements.push(`${kind} ${tableOf(text)}${part ? ` with ${part}` : ''}`);
    return node;
  },
  transformResult: async ({ result }) => result,
};

function tableOf(node: string): string {
  return /"identifier":\{"kind":"IdentifierNode","name":"(\w+)"/.exec(node)?.[1] ?? '';
}

const world = shareWorld({
  approvers: [people.ben, people.cleo],
  async openDatabase() {
    const { db, ...opened } = await openFromTemplate(inject('databaseTemplate'));
    return { ...opened, db: db.withPlugin(noteStatements) };
  },
});

const command = '/belay disable joana.prado@example.com';
/** It records which copies are up to date, and ends the claim. */
const isEndOfPublishing = (one: string) => one === 'Update approval with shown';
const ofCopies = () => statements.filter((one) => one.endsWith(' request_copy'));

test('a decision writes nothing and calls Slack for nothing for approvers in the channel', async () => {
  const { ana, ben, slack } = world();
  statements.splice(0);
  const request = await ask(ana, command);
  // Recorded with the request, and found to need no message when it was published.
  await expect.poll(() => statements.filter(isEndOfPublishing)).toHaveLength(1);
  expect(ofCopies()).toEqual(['Insert request_copy', 'Select request_copy']);

  statements.splice(0);
  const calls = slack.calls.length;
  await ben.press(request, 'Approve');
  await seeAgain(ana, request, 'is disabled.');
  await heardBack(ana);
  // Before the requester's message was sent.
  const writes = ofCopies().filter((one) => !one.startsWith('Select'));
  expect(writes).toEqual(['Update request_copy']);
  const methods = slack.calls.slice(calls).map(({ method }) => method);
  expect(methods).not.toContain('conversations.members');
});
