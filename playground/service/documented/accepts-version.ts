/**
 * Whether the version that the Accept header asks for is one that exists: v1 is the only one, and
 * the latest, which is what a request gets that names none (no header, or HTTP's own "anything").
 */
export function acceptsVersion(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return true;
  const version = /^application\/api\.service\.\*=v(\d+)\+json$/.exec(accept.trim())?.[1];
  return version === '1';
}
