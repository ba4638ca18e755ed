import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

type Page = (request: IncomingMessage, response: ServerResponse) => void;

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const headers = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * Builds the page once, in memory, and serves it. A URL without a person redirects to the person of
 * `openAs`.
 */
export async function createPage({
  openAs,
  isDemo = false,
}: {
  openAs: string;
  /** Whether it shows what only a whole playground has. */
  isDemo?: boolean;
}): Promise<Page> {
  const files = await buildFiles();
  const index = files.get('/index.html');
  if (isDemo) files.set('/index.html', String(index).replace('id="root"', 'id="root" data-demo'));
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/' && !searchParams.has('as')) {
      response.writeHead(302, { location: `/?as=${encodeURIComponent(openAs)}` }).end();
      return;
    }
    const path = pathname === '/' ? '/index.html' : pathname;
    const content = files.get(path);
    if (content === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n');
      return;
    }
    const contentType = contentTypes[extname(path)] ?? 'application/octet-stream';
    response.writeHead(200, { ...headers, 'content-type': contentType });
    response.end(request.method === 'HEAD' ? undefined : content);
  };
}

async function buildFiles(): Promise<Map<string, string | Uint8Array>> {
  const output = await build({
    configFile: false,
    envDir: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', development: false } },
    // A test runner sets NODE_ENV=test, which selects React's slow development build.
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: { write: false, reportCompressedSize: false, modulePreload: false },
  });
  const files = new Map<string, string | Uint8Array>();
  for (const result of Array.isArray(output) ? output : [output]) {
    if (!('output' in result)) throw new Error('The page was watched instead of built');
    for (const file of result.output) {
      files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
    }
  }
  return files;
}
