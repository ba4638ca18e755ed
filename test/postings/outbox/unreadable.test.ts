import { expect, it, onTestFinished } from 'vitest';
import { notice } from '../../../src/slack/ui/blocks.ts';
import { ops, startDeliveryStage, stores } from './stage.ts';

it.each(stores())(
  'a message that cannot be read does not hold up its channel, on $name',
  async ({ open }) => {
    const { db, close } = await open();
    onTestFinished(close);
    const stage = await startDeliveryStage(db);
    await stage.queue([
      { subject: 'a', message: notice('first') },
      { subject: 'b', message: notice('second') },
    ]);
    await db
      .updateTable('delivery_message')
      .set({ message: JSON.stringify({ canary: 'canary' }) })
      .where('subject', '=', 'a')
      .execute();
    await stage.run(3);
    expect(stage.texts(ops)).toEqual([expect.stringContaining("Belay can't read"), 'second']);
    expect(stage.logged.join()).toContain("a stored message can't be read");
    expect(stage.logged.join()).not.toContain('canary');
  },
);
