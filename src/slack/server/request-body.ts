import { parse as parseForm } from 'node:querystring';
import { z } from 'zod';
import { decodeValue } from '../ui/codec.ts';
import { viewStateSchema } from '../ui/view-values.ts';

/**
 * What to do with a signed body: `dispatch` to Bolt, `acknowledge` because no listener can exist for
 * its type, or refuse as `malformed`.
 */
type BodyKind = 'dispatch' | 'acknowledge' | 'malformed';

/** https://docs.slack.dev/interactivity/implementing-slash-commands/#app_command_handling */
const command = z.looseObject({
  command: z.string().regex(/^\/[\w-]+$/),
  team_id: z.string(),
  user_id: z.string(),
});
const sslCheck = z.looseObject({ ssl_check: z.literal('1') });

/** Bolt takes any payload with one of these fields for an event or a command, whatever its type. */
const reserved = { event: z.never().optional(), command: z.never().optional() };
const user = z.looseObject({ id: z.string() });
const view = z.looseObject({ id: z.string(), callback_id: z.string() });
/** Bolt reads these without a check where they are present. */
const channel = z.looseObject({}).optional();
const responseUrls = z.array(z.looseObject({})).optional();
const interaction = z.looseObject({ ...reserved, user, channel, response_urls: responseUrls });
const withCallbackId = interaction.extend({ callback_id: z.string() });
const action = z.looseObject({ type: z.string() });
const identified = { action_id: z.string(), block_id: z.string() };

/** By type: https://docs.slack.dev/reference/interaction-payloads and .../apis/events-api */
const payloads = new Map<string, z.ZodType>(
  Object.entries({
    block_actions: interaction.extend({
      actions: z.array(action.extend(identified)).min(1),
      view: view.partial().nullish(),
    }),
    block_suggestion: interaction.extend(identified),
    view_submission: interaction.extend({
      view: view.extend({ state: z.looseObject({ values: viewStateSchema }) }),
    }),
    view_closed: interaction.extend({ view }),
    shortcut: withCallbackId,
    message_action: withCallbackId,
    interactive_message: withCallbackId.extend({ actions: z.array(action).min(1) }),
    dialog_submission: withCallbackId,
    dialog_suggestion: withCallbackId.extend({ name: z.string() }),
    event_callback: z.looseObject({ event: action }),
    url_verification: z.looseObject({ challenge: z.string() }),
  }),
);

const isJson = /^application\/json\s*(;|$)/i;

/**
 * Slash commands are form fields, interactions a form field `payload` with JSON, events plain JSON.
 * Anything else would make Bolt throw, or wait 3 s for an acknowledgement that nobody sends.
 */
export function classifyBody(contentType: string | undefined, body: string): BodyKind {
  // A proxy may add a charset. Bolt parses such a body as JSON, but not such a form.
  if (contentType && isJson.test(contentType)) return classifyPayload(body);
  if (contentType !== 'application/x-www-form-urlencoded') return 'malformed';
  const fields = parseForm(body);
  if (typeof fields.payload === 'string') return classifyPayload(fields.payload);
  return command.or(sslCheck).safeParse(fields).success ? 'dispatch' : 'malformed';
}

function classifyPayload(json: string): BodyKind {
  const payload = decodeValue(z.looseObject({ type: z.string() }), json);
  if (!payload) return 'malformed';
  const schema = payloads.get(payload.type);
  if (!schema) return 'acknowledge';
  return schema.safeParse(payload).success ? 'dispatch' : 'malformed';
}
