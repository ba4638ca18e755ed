import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { version } from '../../src/version.ts';
import { readDeployed } from './needs.ts';
import { readDockerfile } from './read-dockerfile.ts';

/** `@sha256:…`, or blank: nobody has looked the digest up yet, so the tag alone decides. */
const digest = /^(?:@sha256:[0-9a-f]{64})?$/;
const { textsOf } = readDockerfile();

/** What each name of a digest stands for by default. An operator may set another one. */
const digests = new Map(
  [
    ...textsOf('ARG').flatMap((line) => [...line.matchAll(/^(\w+_DIGEST)=(.*)$/g)]),
    ...readDeployed('compose.yaml').matchAll(/\$\{(\w+_DIGEST):-([^}]*)\}/g),
  ].map(([, name = '', value = '']) => [name, value]),
);

test('every image of others is named by a digest, or by the name of a blank one', () => {
  const { services } = z
    .object({ services: z.record(z.string(), z.object({ image: z.string() })) })
    .parse(parse(readDeployed('compose.yaml'), { merge: true }));
  const built = textsOf('FROM').map((line) => line.split(' ')[0] ?? '');
  const images = [...built, ...Object.values(services).map(({ image }) => image)];
  const ofOthers = images.filter((image) => image !== `belay:${version}`);
  expect(ofOthers).toHaveLength(4);
  for (const image of ofOthers) {
    const [, name = ''] = /^[a-z]+:[\w.-]+\$\{(\w+_DIGEST)(?::-[^}]*)?\}$/.exec(image) ?? [];
    expect(digests.get(name), image).toMatch(digest);
  }
  // Even the program that reads the Dockerfile would be an image.
  expect(readDeployed('Dockerfile')).not.toContain('syntax=');
  const blank = [...digests].filter(([, value]) => value === '').map(([name]) => name);
  if (blank.length > 0) {
    process.stdout.write(`images without a digest in deploy/: ${blank.join(', ')}\n`);
  }
});
