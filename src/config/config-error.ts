/** The environment or the configuration file is invalid; `message` is one line with the remedy. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
