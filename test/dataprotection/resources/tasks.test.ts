import { expect, it } from 'vitest';
import { NotFoundError, ServiceTimeoutError } from '../../../src/dataprotection/http/errors.ts';
import { pollTask } from '../../../src/dataprotection/resources/tasks.ts';
import { serve } from '../../support/serve.ts';
import { answerJson, errorOf, openClient } from '../local-server.ts';

/** A live service with one task that goes through these states and stays in the last. */
async function openTask(states: string[], onRead: (reads: number) => void = () => undefined) {
  let reads = 0;
  const baseUrl = await serve((request, response) => {
    if (request.url !== '/tasks/7') return response.writeHead(404).end();
    const status = states[Math.min(reads, states.length - 1)];
    reads += 1;
    onRead(reads);
    return answerJson(response, { id: '7', status, progress_percentage: 10 * reads });
  });
  return { client: openClient(baseUrl, 'a.b.c', undefined, 'live'), reads: () => reads };
}

it.each(['completed', 'failed', 'aborted'])('polls a task until it is %s', async (end) => {
  const { client, reads } = await openTask(['queued', 'in_progress', 'aborting', 'new', end]);
  const ended = await pollTask(client, '7', { everyMs: 1 });
  expect(ended).toMatchObject({ outcome: end, task: { id: '7', progressPercentage: 50 } });
  expect(reads()).toBe(5);
});

it('reports a task as still running after its timeout', async () => {
  const { client } = await openTask(['in_progress']);
  const pollOptions = { everyMs: 60_000, timeoutMs: 50 };
  expect(await pollTask(client, '7', pollOptions)).toEqual({
    outcome: 'still-running',
    taskId: '7',
  });
});

it('stops when the signal is aborted', async () => {
  const controller = new AbortController();
  const { client, reads } = await openTask(['queued'], (count) => {
    if (count === 2) controller.abort('aborted');
  });
  const pollOptions = { everyMs: 1, signal: controller.signal };
  expect(await errorOf(pollTask(client, '7', pollOptions))).toBe('aborted');
  expect(reads()).toBe(2);
});

it("distinguishes the caller's timeout from its own", async () => {
  const { client } = await openTask(['queued']);
  const pollOptions = { everyMs: 60_000, signal: AbortSignal.timeout(50) };
  expect(await errorOf(pollTask(client, '7', pollOptions))).toBeInstanceOf(ServiceTimeoutError);
});

it('throws NotFoundError for an unknown task', async () => {
  const { client } = await openTask(['queued']);
  expect(await errorOf(pollTask(client, '8'))).toBeInstanceOf(NotFoundError);
});
