/**
 * The only statements about tables with a `team_id` that may run without a condition on it, each with
 * the reason. The text of a statement has placeholders for values and single spaces.
 */
export const exceptions: Record<string, RegExp> = {
  'work that is due in every workspace in which Belay is installed':
    /exists \(select \$\d+ from installation where installation\.state = \$\d+ and \(installation\.team_id = "\w+"\."team_id"/,
  'figures of the whole process for its metrics':
    /^select "state", count\(\*\) as "count" from "(?:approval|installation)" group by|^select coalesce\(sum\(seq\)/,
  'checkpoints, which cover the audit logs of all workspaces at once':
    /from "?audit_log_head"? as "?head"?|^select "facts" from "audit_log" where "event" = \$1$/,
  'members of user groups that nobody has asked about':
    /^delete from "user_group" where "read_at" < \$1$/,
  'encryption with a new key, row by row': /where not starts_with\("\w*sealed"/,
  'an installation with a different Slack app':
    /^select "id" from "installation" where "app_id" <>/,

  'tokens to refresh, and installations to report, in every workspace':
    /^with due as materialized \( select "id" from "installation" where/,
  'installations to check or to delete the data of, in every workspace':
    /^update "installation" set "check_at" = \$1 where id = any \(array\(select id from "installation" where check_at <=/,
  'the organizations in which Belay is installed':
    /^select "team_id" from "installation" where "team_id" = "enterprise_id"/,
  'the workspaces of one organization':
    /"organization_workspace" (?:set .* )?where "enterprise_id" = \$\d/,

  // By the id of a row that was found or claimed with its team before.
  'the poll of a connection': /"alert_poll" (?:set .* )?where "connection_id" = \$\d/,
  'samples of a connection, and of those before it in the same workspace':
    /from "compliance_sample" where "connection_id" in \( select other\.id from connection as own join connection as other on other\.team_id = own\.team_id/,
  'a digest that this process runs': /^update "digest" set .* where "id" = \$\d+ and lease_holder/,
  'the runs of a digest': /"digest_run" where "digest_id" = \$1/,
  'a message that this process delivers': /^update "delivery_message" set .* where "id" = \$\d+/,
  'the watches of a connection that this process polls, and a watch that was just read':
    /"watch" (?:set .* )?where "id" (?:=|in)/,
  'the copies of a request': /from "request_copy" where "approval_id" = \$1/,
};
