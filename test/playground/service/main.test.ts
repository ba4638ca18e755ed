import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findPorts } from '../../../playground/free-ports.ts';
import { sample } from '../../support/sampling.ts';
import { callPortal, firstOf, listPortal } from './call-portal.ts';

const firstLine = z.strictObject({
  dialect: z.enum(['documented', 'live']),
  admin: z.url(),
  portals: z
    .array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        baseUrl: z.url(),
        token: z.string(),
        organizationalUnits: z
          .array(z.strictObject({ id: z.uuid(), name: z.string(), isDefault: z.boolean() }))
          .length(2),
      }),
    )
    .length(4),
});

let child: ChildProcess | undefined;

function runService(...args: string[]) {
  const script = ['scripts/node.sh', 'playground/service/main.ts', ...args];
  const started = spawn('sh', script, { stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  return started;
}

async function firstLineOf({ stdout, stderr }: ReturnType<typeof runService>): Promise<string> {
  for await (const line of createInterface(stdout)) return line;
  throw new Error(`the program ended: ${await text(stderr)}`);
}

describe('the service as a program', () => {
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'prints its portals, responds, and stops on %s',
    async (signal) => {
      const port = await findPorts(4);
      const service = runService('--port', String(port));
      const line = await firstLineOf(service);
      const { dialect, portals } = firstLine.parse(JSON.parse(line));
      expect(dialect).toBe('documented');
      for (const [index, portal] of portals.entries()) {
        expect(portal.baseUrl).toBe(`http://127.0.0.1:${port + index}`);
        expect(await listPortal(portal, '/users')).toMatchObject({ total_count: 240 });
        const unit = portal.organizationalUnits.find(({ isDefault }) => !isDefault);
        const headers = { 'x-service-organizationalunit-context': unit?.id };
        expect((await callPortal(portal, '/users', { headers })).status).toBe(200);
      }

      const exited = once(service, 'exit');
      service.kill(signal);
      expect(await exited).toEqual([0, null]);
    },
  );

  const refused = [
    ['--port', 'abc'],
    ['--port', '65534'],
    ['--port', '0'],
    ['--port'],
    ['--prot', '1'],
    ['--dialect', 'unknown'],
    ['--dialect'],
    ['--form', 'unknown'],
    ['--dialect', 'live', '--form', 'documented'],
  ];

  it.each(sample(refused, 2))('rejects %s %s with one line', async (...args) => {
    const service = runService(...args);
    const [output, message, [code]] = await Promise.all([
      text(service.stdout),
      text(service.stderr),
      once(service, 'exit'),
    ]);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(message).toMatch(/^Give the first of four ports as --port N.*--dialect live.*\n$/);
  });

  it('uses the live dialect with --dialect live, and accepts faults through the admin endpoints', async () => {
    const service = runService('--port', String(await findPorts(4)), '--dialect', 'live');
    const line = await firstLineOf(service);
    const { dialect, admin, portals } = firstLine.parse(JSON.parse(line));
    expect(dialect).toBe('live');
    const portal = firstOf(portals);
    const headers = { accept: 'application/api.clumio.users=v2+json' };
    expect((await callPortal(portal, '/users', { headers })).status).toBe(200);

    const json = { fault: { kind: 'status', status: 503 }, match: { times: 1 } };
    await callPortal({ baseUrl: admin, token: '' }, '/faults', { method: 'POST', json });
    expect((await callPortal(portal, '/users', { headers })).status).toBe(503);
    expect((await callPortal(portal, '/users', { headers })).status).toBe(200);
  });

  it('names the ports it needs if one is taken', async () => {
    const port = await findPorts(4);
    const otherServer = createServer().listen(port + 3, '127.0.0.1');
    await once(otherServer, 'listening');
    const service = runService('--port', String(port));
    const [message, [code]] = await Promise.all([text(service.stderr), once(service, 'exit')]);
    otherServer.close();
    expect(code).toBe(1);
    expect(message).toContain(`Ports ${port} to ${port + 3} must all be free`);
    expect(message.trimEnd()).not.toContain('\n');
  });
});
