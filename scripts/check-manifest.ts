/** Checks manifest.yml against Slack's JSON Schema: `check-manifest.ts <schema file>`. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

const [schemaPath = ''] = process.argv.slice(2);
// The official schema has a rule under a keyword that JSON Schema does not define.
const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
const validate = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')));
const manifest: unknown = parse(readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8'));

if (validate(manifest)) {
  console.log("manifest.yml agrees with Slack's schema");
} else {
  for (const { instancePath, message } of validate.errors ?? []) {
    console.error(`manifest.yml${instancePath}: ${message}`);
  }
  process.exitCode = 1;
}
