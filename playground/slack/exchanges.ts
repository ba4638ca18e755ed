import type { Ack, Deliver } from './delivery.ts';
import type { Exchange } from './protocol.ts';

const maxHeld = 300;

export type ExchangeLog = {
  /** Records an exchange that ends now; `startedAt` by `performance.now()`. */
  add: (exchange: Omit<Exchange, 'id' | 'ms'> & { startedAt: number }) => void;
  /** Those after the one with this id, oldest first, without credentials. */
  after: (id: number) => Exchange[];
  clear: () => void;
};

/** The last exchanges between Slack and the app, for the page's inspector. */
export const createExchangeLog = (): ExchangeLog => {
  const held: Exchange[] = [];
  let lastId = 0;
  return {
    add: ({ startedAt, ...exchange }) => {
      lastId += 1;
      held.push({ ...exchange, id: lastId, ms: Math.round(performance.now() - startedAt) });
      if (held.length > maxHeld) held.shift();
    },
    after: (id) =>
      held
        .filter((one) => one.id > id)
        .map((one) => ({
          ...one,
          name: hideCredentials(one.name),
          request: withoutCredentials(one.request),
          response: withoutCredentials(one.response),
        })),
    clear: () => {
      held.length = 0;
    },
  };
};

/** Records each delivery to the app. */
export const recordDeliveries =
  (deliver: Deliver, log: ExchangeLog, clock: () => Date): Deliver =>
  async (kind, payload, retry) => {
    const at = clock().toISOString();
    const startedAt = performance.now();
    const ack = await deliver(kind, payload, retry);
    const outcome = ack.kind === 'acked' ? 'ok' : ack.kind;
    const response = responseOf(ack);
    log.add({
      at,
      startedAt,
      to: 'app',
      name: nameOf(payload),
      outcome,
      request: payload,
      response,
    });
    return ack;
  };

const responseOf = (ack: Ack): unknown => (ack.kind === 'acked' ? (ack.body ?? null) : null);

/** Such as `/belay alerts`, `block_actions approvals.approve` or `event app_home_opened`. */
const nameOf = (payload: Record<string, unknown>): string => {
  const { command, text, type, event, actions, view } = payload;
  if (typeof command === 'string') return `${command} ${String(text ?? '')}`.trim();
  if (type === 'event_callback') return `event ${field(event, 'type')}`;
  const detail = Array.isArray(actions)
    ? field(actions[0], 'action_id')
    : field(view, 'callback_id');
  return `${String(type)} ${detail}`.trim();
};

const field = (value: unknown, name: string): string => {
  if (typeof value !== 'object' || value === null) return '';
  const found = new Map<string, unknown>(Object.entries(value)).get(name);
  return typeof found === 'string' ? found : '';
};

/** Anyone who has one of these could act as the app or as a person. */
const credentialNames = new Set([
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'code',
  'response_url',
  'trigger_id',
]);

/** Tokens of Slack and of the service, wherever they are, and URLs of sockets. */
const credentials =
  /\bxox[a-z]*[-.][\w.-]+|\bxapp-[\w-]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\bticket=\w+/g;

const hidden = '(hidden)';

const hideCredentials = (text: string): string => text.replaceAll(credentials, hidden);

const withoutCredentials = (value: unknown): unknown => {
  if (typeof value === 'string') return hideCredentials(value);
  if (Array.isArray(value)) return value.map(withoutCredentials);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      credentialNames.has(name) ? hidden : withoutCredentials(part),
    ]),
  );
};
