/** Writes docs/licenses.md, the licenses of all packages that run in production: `list-licenses.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string(),
      license: z.string().optional(),
      dev: z.boolean().default(false),
      hasInstallScript: z.boolean().default(false),
    }),
  ),
});

type Package = { name: string; version: string; license: string; hasInstallScript: boolean };

/** The packages that `npm ci --omit=dev` installs on some platform, by name and version. */
export function productionPackages(): Package[] {
  const { packages } = lockfile.parse(
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')),
  );
  const found = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license = 'unknown', hasInstallScript }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license, hasInstallScript };
    });
  const unique = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
}

/** The text of docs/licenses.md. */
export function renderLicenses(packages: Package[]): string {
  const byLicense = Map.groupBy(packages, ({ license }) => license);
  const sections = [...byLicense]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([license, those]) => {
      const names = those.map(({ name, version }) => `- \`${name}\` ${version}`);
      return `## ${license}\n\n${names.join('\n')}\n`;
    });
  return `${introduction}\n${sections.join('\n')}`;
}

const introduction = `# Licenses

Belay itself has the [MIT license](../LICENSE). These are the packages that run in production, with the license that each declares. Development dependencies are not listed. \`sh scripts/node.sh scripts/list-licenses.ts\` writes this page from \`package-lock.json\`.
`;

if (import.meta.main) {
  writeFileSync(join(root, 'docs/licenses.md'), renderLicenses(productionPackages()));
}
