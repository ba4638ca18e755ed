/**
 * Every program that judges, as typed after `npm run -s`, which runs with `--short` before each merge. A
 * test compares these with the programs that exist.
 */
export const shortRuns: Readonly<Record<'PostgreSQL' | 'PGlite', readonly string[]>> = {
  PostgreSQL: [
    'race',
    'race -- --rule --oauth',
    'race -- --desk',
    'chaos -- approvals',
    'chaos -- bulk',
    'chaos -- outages',
    'chaos -- digests',
    'chaos -- home',
    'chaos -- storm',
    'chaos -- policies',
    'chaos -- restores',
    'chaos -- policy-watches',
    'chaos -- installations isolation',
    'chaos -- installations rotation',
    'chaos -- installations uninstall',
    'chaos -- upgrade',
    'chaos -- payloads',
    'chaos -- payloads --foreign',
    'bench -- commands',
    'bench -- alerts',
    'bench -- decisions',
    'bench -- polls',
    'bench -- start',
    'bench -- audit-log',
    'simulate -- --check',
  ],
  PGlite: [
    'race',
    'race -- --rule --oauth',
    'bench -- client',
    'bench -- digest',
    'bench -- tracing',
    'bench -- page',
    'bench -- path',
    'bench -- home',
    'simulate',
  ],
};
