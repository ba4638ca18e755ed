import { deriveAuditKeys } from '../../../audit-log/hash-chain.ts';
import { readKeyId } from '../../../audit-log/signing-key.ts';
import type { Database } from '../../../database/open-database.ts';
import { plural } from '../../../slack/ui/words.ts';
import { type Finding, ok, problem, warning } from '../finding.ts';

const area = 'Keys';

/** Whether the configured keys are those that the stored token and the audit log need. */
export async function checkKeys({
  db,
  teamId,
  encryptionKeys,
  sealedWith,
}: {
  db: Database;
  teamId: string;
  encryptionKeys: Buffer[];
  /** Which key the stored API token is encrypted with; undefined without a token. */
  sealedWith: 'current-key' | 'older-key' | 'unknown-key' | undefined;
}): Promise<Finding[]> {
  const lastKeyId = await readKeyId(db, teamId);
  const isLogKeyKnown =
    lastKeyId === undefined || deriveAuditKeys(encryptionKeys).byId.has(lastKeyId);
  const findings = [
    ...(sealedWith === 'older-key'
      ? [
          warning(
            area,
            'The API token is encrypted with an older key.',
            'Keep that key in `BELAY_ENCRYPTION_KEYS`, or enter the token again with `/belay setup`.',
          ),
        ]
      : []),
    ...(sealedWith === 'unknown-key'
      ? [
          problem(
            area,
            "The API token is encrypted with a key that Belay doesn't have.",
            'Add the key to `BELAY_ENCRYPTION_KEYS`, or enter the token again with `/belay setup`.',
          ),
        ]
      : []),
    ...(isLogKeyKnown
      ? []
      : [
          problem(
            area,
            "The audit log is signed with a key that Belay doesn't have, so Belay refuses all decisions.",
            'Add the key to `BELAY_ENCRYPTION_KEYS` of every process and restart.',
          ),
        ]),
  ];
  if (findings.length > 0) return findings;
  return [ok(area, `${plural(encryptionKeys.length, 'encryption key')} configured · none missing`)];
}
