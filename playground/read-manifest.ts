import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { createWorkspace, type Workspace } from './slack/workspace.ts';

/** The parts of the manifest that limit what the app can do. */
const manifestSchema = z.object({
  features: z.object({
    app_home: z.object({ home_tab_enabled: z.boolean() }),
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

type Manifest = z.infer<typeof manifestSchema>;

export function readManifest(): Manifest {
  const file = new URL('../manifest.yml', import.meta.url);
  return manifestSchema.parse(parse(readFileSync(file, 'utf8')));
}

/** A workspace whose app has exactly the commands, scopes and events of the manifest. */
export function workspaceFromManifest(isInstalled: boolean): Workspace {
  const workspace = createWorkspace();
  const { features, oauth_config, settings } = readManifest();
  const events = settings.event_subscriptions?.bot_events ?? [];
  const scopes = oauth_config.scopes.bot;
  const commands = features.slash_commands.map(({ command, description, usage_hint }) => ({
    command,
    description,
    ...(usage_hint ? { usageHint: usage_hint } : {}),
  }));
  const rotatesTokens = settings.token_rotation_enabled;
  const hasHomeTab = features.app_home.home_tab_enabled;
  const app = { ...workspace.app, commands, scopes, events, hasHomeTab, rotatesTokens };
  return { ...workspace, app, isInstalled };
}
