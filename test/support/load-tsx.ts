import { registerHooks } from 'node:module';
import { transformSync } from 'rolldown/utils';

/** Node removes types from TypeScript, but doesn't know the JSX of the components of the local Slack. */
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context);
    const { source } = nextLoad(url, { ...context, format: 'module' });
    const jsx = { runtime: 'automatic' } as const;
    const { code } = transformSync(url, String(source), { lang: 'tsx', jsx });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
