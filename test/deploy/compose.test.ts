import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readArguments } from '../../src/admin/command.ts';
import { defaultStopMs } from '../../src/app.ts';
import { version } from '../../src/version.ts';
import { configOf, readDeployed, unknownNames } from './needs.ts';
import { readDockerfile } from './read-dockerfile.ts';

const service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()),
  env_file: z.string().optional(),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().default(false),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
});
const { services, networks } = z
  .object({
    services: z.record(z.string(), service),
    networks: z.record(z.string(), z.object({ internal: z.boolean() }).nullable()),
  })
  .parse(parse(readDeployed('compose.yaml'), { merge: true }));
const { migrate, database, proxy, ...replicas } = services;
const { env } = readDockerfile();

test('two processes run, each with a checkpoint file of its own on a read-only file system', () => {
  const folder = dirname(configOf(env).checkpointFile);
  const volumes = Object.values(replicas).map((one) => one.volumes.join(' '));
  expect(volumes).toHaveLength(2);
  expect(new Set(volumes).size).toBe(2);
  expect(volumes.every((volume) => volume.endsWith(`:${folder}`))).toBe(true);
  expect(Object.values(replicas).every((one) => one.read_only)).toBe(true);
});

test('all processes have the same image and settings, and time to stop', () => {
  for (const one of [migrate, ...Object.values(replicas)]) {
    expect(one).toMatchObject({ image: `belay:${version}`, env_file: 'belay.env' });
    expect(unknownNames(one?.environment ?? {})).toEqual([]);
    const graceMs = Number(/^(\d+)s$/.exec(one?.stop_grace_period ?? '')?.[1]) * 1000;
    expect(graceMs).toBeGreaterThan(defaultStopMs);
  }
});

test('the owner migrates and Belay runs with the other role, both as create-roles.sh creates them', () => {
  const { positionals, values } = readArguments(migrate?.command?.slice(2) ?? []);
  expect(positionals).toEqual(['migrate']);
  const script = readDeployed('create-roles.sh');
  const roles = [...script.matchAll(/^create role (\w+) login password :'(\w+)'/gm)];
  const passwords = new Map(
    [...script.matchAll(/--set=(\w*password)="\$(\w+)"/g)].map(([, at, name]) => [at, name]),
  );
  const [, name, owner] = /^create database (\w+) owner (\w+);/m.exec(script) ?? [];
  const urls = roles.map(([, role = '', at]) => {
    const password = passwords.get(at) ?? '';
    expect(database?.environment[password]).toBe(`\${${password}:?}`);
    return [role, `postgres://${role}:\${${password}:?}@database/${name}`];
  });
  const urlOf = new Map(urls.map(([role, url]) => [role, url]));
  expect(migrate?.environment.DATABASE_URL).toBe(urlOf.get(owner));
  expect(values['grant-to']).not.toBe(owner);
  for (const { environment } of Object.values(replicas)) {
    expect(environment.DATABASE_URL).toBe(urlOf.get(values['grant-to']));
  }
});

test('the proxy passes requests to the port of each process', () => {
  const { port } = configOf(env);
  const upstreams = /reverse_proxy (.+) \{/.exec(readDeployed('Caddyfile'))?.[1];
  expect(upstreams?.split(' ')).toEqual(Object.keys(replicas).map((name) => `${name}:${port}`));
  expect(proxy?.volumes[0]).toMatch(/^\.\/Caddyfile:/);
});

test('the proxy reaches the processes, but not the database, and the database no other network', () => {
  const shared = (one = services.proxy, other = services.database) =>
    one?.networks.filter((name) => other?.networks.includes(name));
  expect(shared(proxy, database)).toEqual([]);
  for (const one of Object.values(replicas)) {
    expect(shared(one, proxy)).toHaveLength(1);
    expect(shared(one, database)).toHaveLength(1);
  }
  expect(migrate?.networks).toEqual(database?.networks);
  expect(database?.networks.map((name) => networks[name]?.internal)).toEqual([true]);
});

test('only the health check in the container reaches the health port', () => {
  const [check = ''] = readDockerfile().last('HEALTHCHECK');
  for (const { environment } of Object.values(replicas)) {
    const { health } = configOf({ ...env, ...environment });
    expect(health?.host).toBe('127.0.0.1');
    expect(check).toContain(`http://${health?.host}:${health?.port}/`);
  }
});
