import { startReferenceService } from '../../playground/service/start-service.ts';
import { pathsOrder, type ServiceReady } from './messages.ts';

/** A child process: the reference service, which reports the requests that it has received. */
process.once('disconnect', () => process.exit());
const service = await startReferenceService();
// The second portal has no names with unusual characters.
const portal = service.portals[1];
if (!portal) throw new Error('the reference service has no second portal');

let paths: string[] = [];
service.setOnHandled(({ path }) => void paths.push(path));
process.on('message', (message) => {
  pathsOrder.parse(message);
  process.send?.(paths);
  paths = [];
});
const { id, label, baseUrl, token } = portal;
process.send?.({ id, label, baseUrl, token, dialect: service.dialect } satisfies ServiceReady);
