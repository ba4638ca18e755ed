import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readArguments } from '../../src/admin/command.ts';
import { defaultStopMs } from '../../src/app.ts';
import { variableNames } from '../../src/config.ts';
import { healthPaths } from '../../src/health/health-server.ts';
import { version } from '../../src/version.ts';
import { configOf, readDeployed } from './needs.ts';
import { readDockerfile } from './read-dockerfile.ts';

const labels = z.record(z.string(), z.string());
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const container = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  env: z.array(z.object({ name: z.string() })),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  lifecycle: z
    .object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) })
    .optional(),
  securityContext: z.object({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
  }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
});
const pod = z.object({
  metadata: z.object({ labels }),
  spec: z.object({
    terminationGracePeriodSeconds: z.number().optional(),
    securityContext: z.object({ runAsNonRoot: z.boolean(), runAsUser: z.number() }),
    containers: z.tuple([container]),
  }),
});
const selector = z.object({ matchLabels: labels });
const labelSelector = z.strictObject({ matchLabels: labels });
const peer = z.strictObject({
  namespaceSelector: labelSelector.optional(),
  podSelector: labelSelector.optional(),
  ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()) }).optional(),
});
const ports = z
  .array(
    z.strictObject({
      port: z.union([z.string(), z.number()]),
      protocol: z.enum(['TCP', 'UDP']).default('TCP'),
    }),
  )
  .min(1);
// A rule without peers or ports would allow all of them.
const networkPolicy = z.object({
  kind: z.literal('NetworkPolicy'),
  spec: z.strictObject({
    podSelector: labelSelector,
    policyTypes: z.tuple([z.literal('Ingress'), z.literal('Egress')]),
    ingress: z.array(z.strictObject({ from: z.array(peer).min(1), ports })),
    egress: z.array(z.strictObject({ to: z.array(peer).min(1).optional(), ports })),
  }),
});
const claim = z.object({ metadata: z.object({ name: z.string() }) });

const manifests = z
  .tuple([
    z.object({
      kind: z.literal('StatefulSet'),
      spec: z.object({
        replicas: z.number(),
        serviceName: z.string(),
        selector,
        template: pod,
        volumeClaimTemplates: z.tuple([claim]),
      }),
    }),
    z.object({
      kind: z.literal('Service'),
      metadata: z.object({ name: z.string() }),
      spec: z.object({
        selector: labels,
        ports: z.array(z.object({ targetPort: z.string() })),
      }),
    }),
    z.object({
      kind: z.literal('PodDisruptionBudget'),
      spec: z.object({ minAvailable: z.number(), selector }),
    }),
    z.object({ kind: z.literal('Job'), spec: z.object({ template: pod }) }),
    networkPolicy,
    networkPolicy,
  ])
  .parse(parseAllDocuments(readDeployed('kubernetes.yaml')).map((one) => one.toJSON()));
const [statefulSet, service, budget, job, network, migrationNetwork] = manifests;
const { template } = statefulSet.spec;
const [belay] = template.spec.containers;
const [migration] = job.spec.template.spec.containers;
const config = configOf(readDockerfile().env);

test('the ports and probes are those of Belay', () => {
  const ports = new Map(belay.ports.map(({ name, containerPort }) => [name, containerPort]));
  const checked = [belay.readinessProbe, belay.livenessProbe].map((one) => one?.httpGet);
  expect(checked.map((one) => one?.path)).toEqual([healthPaths.ready, healthPaths.live]);
  expect(checked.map((one) => ports.get(one?.port ?? ''))).toEqual([
    config.health?.port,
    config.health?.port,
  ]);
  expect(service.spec.ports.map(({ targetPort }) => ports.get(targetPort))).toEqual([config.port]);
});

test('a process has time to stop after new requests go to others, and one always runs', () => {
  const pauseMs = (belay.lifecycle?.preStop.sleep.seconds ?? Number.NaN) * 1000;
  const graceMs = (template.spec.terminationGracePeriodSeconds ?? 0) * 1000;
  expect(graceMs).toBeGreaterThan(pauseMs + defaultStopMs);
  expect(statefulSet.spec.replicas).toBeGreaterThan(budget.spec.minAvailable);
  expect(budget.spec.minAvailable).toBeGreaterThan(0);
});

test('service and disruption budget select the processes, but not the migration', () => {
  const { labels: own } = template.metadata;
  const { matchLabels } = statefulSet.spec.selector;
  expect([matchLabels, budget.spec.selector.matchLabels, service.spec.selector]).toEqual([
    own,
    own,
    own,
  ]);
  expect(job.spec.template.metadata.labels).not.toMatchObject(own);
  expect(statefulSet.spec.serviceName).toBe(service.metadata.name);
});

test('each process has a checkpoint file of its own on a read-only file system', () => {
  const [claimed] = statefulSet.spec.volumeClaimTemplates;
  expect(belay.volumeMounts).toEqual([
    { name: claimed.metadata.name, mountPath: dirname(config.checkpointFile) },
  ]);
  for (const { spec } of [template, job.spec.template]) {
    const { runAsNonRoot, runAsUser } = spec.securityContext;
    expect(runAsNonRoot && runAsUser > 0).toBe(true);
    expect(spec.containers[0].securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
    });
  }
});

test('image, variables and commands exist', () => {
  expect([belay.image, migration.image]).toEqual([`belay:${version}`, `belay:${version}`]);
  const names = [...belay.env, ...migration.env].map(({ name }) => name);
  expect(names.filter((name) => !variableNames.includes(name))).toEqual([]);
  expect(belay.env.map(({ name }) => name)).toContain('DATABASE_URL');
  expect(belay.command).toBeUndefined();
  const { positionals, values } = readArguments(migration.command?.slice(2) ?? []);
  expect(positionals).toEqual(['migrate']);
  expect(values['grant-to']).toBe('belay');
});

test('each port is open to one kind of caller: the ingress controller, and the scraper', () => {
  expect(network.spec.podSelector.matchLabels).toEqual(template.metadata.labels);
  const open = network.spec.ingress.map(({ from, ports }) => {
    expect(from).toHaveLength(1);
    return [ports.map(({ port }) => port), from[0]];
  });
  expect(open).toEqual([
    [['http'], { namespaceSelector: expect.anything() }],
    // A namespace of other things than the scraper doesn't reach the health port.
    [['health'], { namespaceSelector: expect.anything(), podSelector: expect.anything() }],
  ]);
});

test('nothing reaches the migration, which reaches the database only', () => {
  const { podSelector, ingress, egress } = migrationNetwork.spec;
  expect(podSelector.matchLabels).toEqual(job.spec.template.metadata.labels);
  expect(ingress).toEqual([]);
  expect(reached(egress)).toEqual(['53 TCP', '53 UDP', '5432 TCP']);
});

test('Belay reaches names, the database, and HTTPS, but not the metadata of the machine', () => {
  expect(reached(network.spec.egress)).toEqual(['443 TCP', '53 TCP', '53 UDP', '5432 TCP']);
  const https = network.spec.egress.find(({ ports }) => ports.some(({ port }) => port === 443));
  const blocks = https?.to?.map(({ ipBlock }) => ipBlock) ?? [];
  expect(blocks.map((block) => block?.cidr)).toEqual(['0.0.0.0/0', '::/0']);
  expect(blocks.flatMap((block) => block?.except ?? [])).toEqual(
    expect.arrayContaining(['169.254.0.0/16', 'fd00:ec2::254/128']),
  );
});

function reached(rules: z.infer<typeof networkPolicy>['spec']['egress']): string[] {
  const open = rules.flatMap(({ ports }) => ports);
  return open.map(({ port, protocol }) => `${port} ${protocol}`).sort();
}
