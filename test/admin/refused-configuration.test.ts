import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backends, configuration, runConfig } from './run-config.ts';

it('refuses a file that says something else than it seems to, or a token file outside the folder', async () => {
  const { env, file, folder, token, service } = await backends();
  writeFileSync(join(folder, 'other'), token);
  const elsewhere = configuration.replace('secrets/main', 'other');
  const refusals = [
    [Buffer.from(`# Köln\n${configuration}`, 'latin1'), `${file}: the file isn't valid UTF-8.`],
    [`${configuration}  __proto__: {}\n`, `${file}:9: workspaces.__proto__: unknown key.`],
    [
      elsewhere,
      `The token file other is outside ${join(folder, 'secrets')}: move it there, or set BELAY_TOKEN_DIR to its folder.`,
    ],
  ] as const;
  for (const [content, line] of refusals) {
    writeFileSync(file, content);
    for (const command of [['plan'], ['apply', '--by', 'U024BE7LH9']]) {
      const refused = await runConfig([...command, file], { env });
      expect(refused).toEqual({ code: 1, out: '', error: `${line}\n` });
    }
  }
  expect(service.requests).toEqual([]);

  writeFileSync(file, elsewhere);
  const plan = await runConfig(['plan', file], { env: { ...env, BELAY_TOKEN_DIR: folder } });
  expect(plan).toMatchObject({ code: 2, error: '' });
  expect(plan.out).not.toContain('missing');
});
