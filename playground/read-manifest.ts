import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The parts of the manifest that limit what the app can do. */
export const manifestSchema = z.object({
  features: z.object({
    slash_commands: z.array(
      z.object({ command: z.string(), description: z.string(), usage_hint: z.string().optional() }),
    ),
    shortcuts: z.array(z.object({ callback_id: z.string() })).default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()) }).optional(),
    org_deploy_enabled: z.boolean(),
    token_rotation_enabled: z.boolean().default(false),
  }),
});

export type Manifest = z.infer<typeof manifestSchema>;

export function readManifest(): Manifest {
  const file = new URL('../manifest.yml', import.meta.url);
  return manifestSchema.parse(parse(readFileSync(file, 'utf8')));
}
