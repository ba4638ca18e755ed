import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Slower than the endpoint closes them, so that it must choose. */
const maxOpen = 2000;
const perSecond = 500;

/**
 * Opens connections that never send a signed request: silent ones, slow headers, slow bodies behind
 * plausible headers, and large unsigned bodies. Returns how many were opened.
 */
export async function flood(url: URL, count: number): Promise<number> {
  const open = new Set<Socket>();
  let opened = 0;
  while (opened < count) {
    for (let burst = 0; burst < perSecond / 10 && opened < count; burst += 1) {
      const socket = connect(Number(url.port), url.hostname);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
      for (const part of attack(opened % 4, url.pathname)) socket.write(part);
      open.add(socket.resume());
      opened += 1;
      if (open.size > maxOpen) open.values().next().value?.destroy();
    }
    await sleep(100);
  }
  for (const socket of open) socket.destroy();
  return opened;
}

const large = Buffer.alloc(512 * 1024, 'a');

function attack(kind: number, path: string): (string | Buffer)[] {
  const start = `POST ${path} HTTP/1.1\r\nhost: x\r\n`;
  const length = 'content-length: 1000000\r\n';
  const timestamp = Math.floor(Date.now() / 1000);
  const plausible = `x-slack-request-timestamp: ${timestamp}\r\nx-slack-signature: v0=${'0'.repeat(64)}\r\n`;
  if (kind === 0) return [];
  if (kind === 1) return [start];
  if (kind === 2) return [`${start}${length}${plausible}\r\n`, large];
  return [`${start}${length}\r\n`, large];
}
