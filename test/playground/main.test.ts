import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { sample } from '../support/sampling.ts';

const refusals = [
  { args: ['--dialect', 'unknown'], says: '--dialect unknown is unknown: give documented or live' },
  { args: ['--workspaces', '0'], says: '--workspaces 0 is not a number from 1 to 100' },
  { args: ['--port', 'abc'], says: '--port abc is not a port' },
];

it.each(sample(refusals, 2))('refuses $args in one line', async ({ args, says }) => {
  const script = ['scripts/node.sh', 'playground/main.ts', ...args];
  const child = spawn('sh', script, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  expect(message).toContain(says);
  expect(message.trimEnd()).not.toContain('\n');
});

it('prints its address, its people and the API tokens', async () => {
  const script = ['scripts/node.sh', 'playground/main.ts', '--port', '0'];
  const child = spawn('sh', script, { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill());
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('Europe')) break;
  }
  expect(printed).toMatch(/^Playground: http:\/\/127\.0\.0\.1:\d+$/m);
  expect(printed).toContain(
    'People: Ana Sousa (operator), Ben Carter (approver), Cleo Brandt (workspace admin), Gus Lindholm (guest)',
  );
  expect(printed.match(/^API token for [\w ]+: eyJ\S+$/gm)).toHaveLength(4);
});
