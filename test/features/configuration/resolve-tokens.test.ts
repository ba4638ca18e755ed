import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTokenReader } from '../../../src/features/configuration/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A configuration file's folder with `secrets`, and a file beside both that nobody may send. */
function folders() {
  const outer = temporaryFolder();
  const base = join(outer, 'repository');
  mkdirSync(join(base, 'secrets'), { recursive: true });
  writeFileSync(join(base, 'secrets', 'main'), ' tok-main\n');
  writeFileSync(join(base, 'belay.yaml'), 'version: 1');
  writeFileSync(join(outer, 'private-key'), 'private');
  return { outer, base };
}

const outside = /^The token file .* is outside .*: move it there, or set BELAY_TOKEN_DIR/;

it('reads a token from the folder "secrets" beside the configuration file', () => {
  const { base } = folders();
  const read = createTokenReader({}, { base });
  expect(read({ file: 'secrets/main' })).toBe('tok-main');
  expect(read({ file: join(base, 'secrets', 'main') })).toBe('tok-main');
  expect(read({ file: 'secrets/none' })).toBeUndefined();
});

it('reads no file outside the folder, not even through a link', () => {
  const { outer, base } = folders();
  const secrets = join(base, 'secrets');
  mkdirSync(join(base, 'secrets-old'));
  writeFileSync(join(base, 'secrets-old', 'main'), 'old');
  symlinkSync(join(outer, 'private-key'), join(secrets, 'key'));
  symlinkSync('../..', join(secrets, 'up'));
  const read = createTokenReader({}, { base });
  const files = [
    ...['belay.yaml', '../private-key', 'secrets/../belay.yaml', join(outer, 'private-key')],
    ...['/etc/hostname', 'secrets-old/main', 'secrets/key', 'secrets/up/private-key', 'secrets'],
  ];
  for (const file of files) expect(() => read({ file }), file).toThrow(outside);

  // Whoever writes the configuration file may also write the folder that it is in.
  renameSync(secrets, join(base, 'moved'));
  symlinkSync(outer, secrets);
  expect(() => read({ file: 'secrets/private-key' })).toThrow(outside);
});

it('reads a token from the folder in BELAY_TOKEN_DIR only, which may be a link', () => {
  const { outer, base } = folders();
  const mounted = join(outer, 'mounted');
  // As Kubernetes mounts a secret.
  mkdirSync(join(mounted, '..2026_11_24'), { recursive: true });
  writeFileSync(join(mounted, '..2026_11_24', 'main'), 'tok-mounted');
  symlinkSync('..2026_11_24', join(mounted, '..data'));
  symlinkSync('..data/main', join(mounted, 'main'));
  symlinkSync(mounted, join(outer, 'linked'));
  for (const tokenDir of [mounted, join(outer, 'linked')]) {
    const read = createTokenReader({}, { base, tokenDir });
    expect(read({ file: '../mounted/main' })).toBe('tok-mounted');
    expect(read({ file: join(outer, 'linked', 'main') })).toBe('tok-mounted');
    expect(() => read({ file: 'secrets/main' })).toThrow(outside);
    expect(() => read({ file: '../private-key' })).toThrow(outside);
  }
  const read = createTokenReader({}, { base, tokenDir: join(outer, 'none') });
  expect(() => read({ file: 'secrets/main' })).toThrow(outside);
});

it('says when a token file is there but has no token', () => {
  const { base } = folders();
  const read = createTokenReader({}, { base });
  // As PowerShell saves a text.
  writeFileSync(join(base, 'secrets', 'utf16'), Buffer.from('\ufefftok', 'utf16le'));
  expect(() => read({ file: 'secrets/utf16' })).toThrow(
    "The token file secrets/utf16 isn't valid UTF-8.",
  );
  mkdirSync(join(base, 'secrets', 'folder'));
  expect(() => read({ file: 'secrets/folder' })).toThrow('EISDIR');
});

it('takes from the environment only what is a variable', () => {
  const read = createTokenReader({ BELAY_TOKEN: 'tok-env' }, { base: temporaryFolder() });
  expect(read({ env: 'BELAY_TOKEN' })).toBe('tok-env');
  for (const env of ['constructor', '__proto__', 'toString']) expect(read({ env })).toBeUndefined();
});
