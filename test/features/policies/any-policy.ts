import fc from 'fast-check';
import type { Dialect } from '../../../src/dataprotection/dialects/dialect.ts';
import { dialectRules } from '../../../src/dataprotection/dialects/dialect.ts';
import type { JsonObject } from '../../../src/dataprotection/json.ts';

const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('\0'));

/**
 * Any JSON that Belay sends back unchanged: no NUL and no lone surrogates, which PostgreSQL can't store,
 * and no integers from 2^53 on, which JavaScript rounds.
 */
const anyJson = fc.jsonValue({ depthSize: 'small', stringUnit: 'grapheme' }).map((value) => {
  // JSON has no -0.
  const stored: unknown = JSON.parse(
    JSON.stringify(value).replaceAll(String.raw`\u0000`, ''),
    (_, one) => (Number.isInteger(one) && !Number.isSafeInteger(one) ? 1_000_000 : one),
  );
  return stored;
});
const unknownName = fc.oneof(
  fc.constantFrom('retention_lock', 'advanced_settings', '__proto__', 'constructor', 'timezone'),
  fc.string({ minLength: 1, maxLength: 8 }).map((name) => `x_${name.replaceAll('\0', '')}`),
);

/** Adds unknown fields to the known ones. */
function withUnknown(known: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  const unknown = fc.array(fc.tuple(unknownName, anyJson), { maxLength: 2 });
  return fc.tuple(known, unknown).map(([fields, more]) => {
    const whole: JsonObject = { ...fields };
    for (const [name, value] of more) {
      Object.defineProperty(whole, name, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return whole;
  });
}

function optionally<T>(key: string, value: fc.Arbitrary<T>): fc.Arbitrary<JsonObject> {
  return fc
    .option(value, { freq: 6, nil: undefined })
    .map((given) => (given === undefined ? {} : { [key]: given }));
}

function merged(...parts: fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all));
}

/** Any policy that the contract allows, as a service of this dialect returns it. */
export function anyPolicyOnWire(dialect: Dialect): fc.Arbitrary<JsonObject> {
  const names = dialectRules[dialect].policy;
  const value = fc.oneof(fc.integer({ min: -1, max: 1_000_000_000 }), fc.constantFrom('ten', 1.5));
  const units = fc.oneof(fc.constantFrom('hour', 'days', 'year', 'weekly', 'on_demand'), text);
  const duration = withUnknown(merged(optionally(names.units, units), optionally('value', value)));
  const sla = withUnknown(
    merged(optionally('rpo_frequency', duration), optionally('retention_duration', duration)),
  );
  const slaSet = withUnknown(
    merged(
      optionally(names.operation, text),
      optionally(names.seedSetting, fc.constantFrom('immediate', 'window', 'later')),
      optionally('slas', fc.array(sla, { maxLength: 3 })),
    ),
  );
  return withUnknown(
    merged(
      fc.uuid().map((id) => ({ id })),
      text.map((name) => ({ name })),
      fc.array(slaSet, { maxLength: 4 }).map((sets) => ({ [names.slaSets]: sets })),
    ),
  );
}
