import { expect, test } from 'vitest';
import { modal, plain } from './sample-blocks.ts';
import { ANA, startStage } from './stage.ts';

const view = modal([{ type: 'section', text: plain('Hello') }]);

test('a trigger opens one modal', async () => {
  const stage = await startStage();
  const { trigger_id } = await stage.command(ANA);
  await stage.client.views.open({ trigger_id, view });
  await expect(stage.client.views.open({ trigger_id, view })).rejects.toMatchObject({
    data: { error: 'exchanged_trigger_id' },
  });
});

test('a trigger expires after three seconds', async () => {
  const stage = await startStage();
  const { trigger_id } = await stage.command(ANA);
  stage.wait(3000);
  const late = await stage.command(ANA);
  await stage.client.views.open({ trigger_id, view });
  stage.wait(3001);
  await expect(
    stage.client.views.open({ trigger_id: late.trigger_id, view }),
  ).rejects.toMatchObject({ data: { error: 'expired_trigger_id' } });
});

test('a trigger lives longer if the machine keeps the program waiting', async () => {
  let starvedMs = 0;
  const stage = await startStage(undefined, { starvedMs: () => starvedMs });
  const { trigger_id } = await stage.command(ANA);
  stage.wait(5000);
  starvedMs = 2000;
  await stage.client.views.open({ trigger_id, view });
});

test('an unknown trigger is refused', async () => {
  const stage = await startStage();
  await expect(stage.client.views.open({ trigger_id: '1.2.3', view })).rejects.toMatchObject({
    data: { error: 'invalid_trigger_id' },
  });
});

test('a refused view does not consume the trigger', async () => {
  const stage = await startStage();
  const { trigger_id } = await stage.command(ANA);
  const bad = modal([], { title: plain('x'.repeat(25)) });
  await expect(stage.client.views.open({ trigger_id, view: bad })).rejects.toMatchObject({
    data: {
      error: 'invalid_arguments',
      response_metadata: { messages: [expect.stringContaining('/view/title/text')] },
    },
  });
  await stage.client.views.open({ trigger_id, view });
});
