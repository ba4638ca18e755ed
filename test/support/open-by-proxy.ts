import { onTestFinished } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../src/database/open-database.ts';
import type { PostgresLimits } from '../../src/database/postgres-pool.ts';
import { createDatabase, postgresUrl } from './databases.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** A PostgreSQL database of its own, by way of a proxy that can break the connections. */
export async function openByProxy(
  limits?: PostgresLimits,
): Promise<OpenDatabase & { proxy: TcpProxy }> {
  const { url, drop } = await createDatabase(postgresUrl ?? '');
  onTestFinished(drop);
  const proxy = await startTcpProxy(url);
  onTestFinished(proxy.close);
  const opened = await openDatabase(proxy.url, { ...(limits && { limits }) });
  onTestFinished(opened.close);
  return { ...opened, proxy };
}
