import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiFault } from '../../../playground/slack/web-api/faults.ts';
import type { OpenDatabase } from '../../../src/database/open-database.ts';
import { readPerson } from '../../../src/slack/api/person.ts';
import type { SlackClient } from '../../../src/slack/api/slack-client.ts';
import { about, ana, startDeliveryStage, stores } from './stage.ts';

describe.each(stores())('direct messages on $name', ({ open }) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  /** A stage that checks the reader of each direct message, and Ana's direct messages. */
  async function startChecking(check: (slack: SlackClient, slackUserId: string) => unknown) {
    const stage = await startDeliveryStage(database.db, {
      mayReadDirect: async (slack, slackUserId) => {
        await check(slack, slackUserId);
        return true;
      },
    });
    await stage.queue([about('first', 'first')], { channelId: ana });
    await stage.run(1);
    const { posted_channel_id } = await database.db
      .selectFrom('delivery_message')
      .select('posted_channel_id')
      .where('team_id', '=', stage.teamId)
      .executeTakeFirstOrThrow();
    return { ...stage, channelId: posted_channel_id ?? '' };
  }

  it.each<[string, ApiFault, number]>([
    ['Slack did not answer', { isAnswerLost: true }, 6],
    ['Slack asked to wait', { retryAfterSeconds: 30 }, 2],
    ['Slack refused to say', 'invalid_arguments', 1],
  ])('are sent soon after it is known again who reads them: %s', async (_, fault, times) => {
    const { channelId, queue, run, slack, texts } = await startChecking(readPerson);
    for (let index = 0; index < times; index += 1) slack.failNext('users.info', fault);
    await queue([about('second', 'second')], { channelId });
    await run(120);
    expect(texts(channelId).at(-1)).toMatch(/^second/);
  });

  it.each([
    ['nearly until', 25_000],
    ['until after', 35_000],
  ])('are sent once if the check lasts %s the end of the lease', async (_, ms) => {
    let checks = 0;
    const stage = await startChecking(async () => {
      checks += 1;
      if (checks > 1) return;
      stage.wait(ms);
      await stage.startDelivery().deliver.finish();
    });
    await stage.queue([about('second', 'second')], { channelId: stage.channelId });
    await stage.run(2);
    expect(stage.texts(stage.channelId)).toEqual(['first', 'second']);
    // Not in the first attempt, which has too little time left.
    expect(checks).toBe(2);
  });
});
