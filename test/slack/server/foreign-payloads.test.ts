import { expect, inject, test } from 'vitest';
import { foreignSeeds } from '../../../bench/chaos/foreign-seeds.ts';
import { mutate } from '../../../bench/chaos/mutate.ts';
import { createRandom } from '../../../playground/service/data/random.ts';
import { sign } from '../../../playground/slack/delivery.ts';
import { shareWorld } from '../../support/world.ts';

const world = shareWorld({ callLimits: { command: 100_000, click: 100_000 } });

/** The status of Belay's answer to a signed request. Bolt gives up on what nobody acknowledges after 3 s. */
async function send(contentType: string, body: string): Promise<number> {
  const { workspace, belay } = world();
  const timestamp = Math.floor(Date.now() / 1000);
  const response = await fetch(`http://127.0.0.1:${belay.port}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': sign(workspace.app.signingSecret, timestamp, body),
    },
    body,
    signal: AbortSignal.timeout(2500),
  });
  await response.arrayBuffer();
  return response.status;
}

const seeds = foreignSeeds('http://127.0.0.1:1/not-there');

test('every kind of request that Slack documents is accepted', async () => {
  for (const [number, seed] of seeds.entries()) {
    const { contentType, body } = mutate(
      seed,
      { ...createRandom(1), integer: () => 0, chance: () => false },
      number,
    );
    expect([JSON.stringify(seed), await send(contentType, body)]).toEqual([
      JSON.stringify(seed),
      200,
    ]);
  }
});

test('whatever else they contain, they are answered with 2xx or 4xx', async () => {
  const random = createRandom(inject('seed'));
  for (let number = 0; number < 500; number += 1) {
    const seed = seeds[number % seeds.length];
    if (!seed) throw new Error('there are no seeds');
    // Other numbers than above: the same body within a second is refused as repeated.
    const { contentType, body } = mutate(seed, random, 1000 + number);
    const status = await send(contentType, body);
    expect([body, [200, 400].includes(status) ? 'answered' : status]).toEqual([body, 'answered']);
  }
});
