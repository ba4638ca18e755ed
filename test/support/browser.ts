import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/** The libraries the package brings are for this Node on AWS; it unpacks them when it reads so. */
const BRING_LIBRARIES = { AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' };

/**
 * A headless Chromium that came with `npm ci`, so that a browser test needs nothing installed. The
 * package holds one for Linux on x64 only; elsewhere the machine's own Chrome is used.
 */
export async function launchChromium(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return chromium.launch({ channel: 'chrome' });
  }
  const folder = await unpackedChromium();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // The package's own arguments would switch web security off.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  });
}

const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));

/** Unpacks once per version, into a folder that appears only when it is complete. */
async function unpackedChromium(): Promise<string> {
  const version = await packageVersion();
  const folder = join(tmpdir(), `belay-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(folder)) return folder;

  const staging = await mkdtemp(`${folder}-`);
  try {
    await unpackInto(staging);
    // The package's own file names folders of AWS, and would leave the browser without any font.
    await writeFile(join(staging, 'fonts', 'fonts.conf'), fontsConfig(folder));
    await rename(staging, folder);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another worker may have been faster; its folder is as good.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * In its own process: a binary that this process had open for writing could not be started by
 * its other children (ETXTBSY), and the package changes the environment it is loaded into.
 */
async function unpackInto(folder: string): Promise<void> {
  const script = `import chromium from ${JSON.stringify(entry)}; await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, ...BRING_LIBRARIES, TMPDIR: folder },
  });
}

const fontsConfig = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

async function packageVersion(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(join(dirname(entry), '..', 'package.json'), 'utf8'),
  );
  if (typeof manifest === 'object' && manifest && 'version' in manifest) {
    return String(manifest.version);
  }
  throw new Error('The package of Chromium has no version');
}
