import type { LaneBackend } from '../contract/queue-backend';
import { UnknownBackendUrlError } from '../model/errors/unknown-backend-url.error';

/** The schemes, and how the rest of a URL becomes a backend. */
const BACKENDS: Readonly<Record<string, (rest: string) => Promise<LaneBackend>>> = {
  memory: async (name) => (await import('./memory/index.js')).sharedMemory(name),
};

const URL_FORM = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is;

/**
 * Makes the backend that a URL stands for, and loads its code when it is first asked for.
 *
 * `memory:` and `memory:name` are shared in the process: all users of one name meet in one store, which is dropped
 * when the last of them closes.
 *
 * @throws UnknownBackendUrlError when there is no backend for the URL
 *
 * @public
 */
export async function backendFromUrl(url: string): Promise<LaneBackend> {
  const [, scheme = '', rest = ''] = URL_FORM.exec(url) ?? [];
  const known = Object.keys(BACKENDS);
  const open = known.includes(scheme.toLowerCase()) ? BACKENDS[scheme.toLowerCase()] : undefined;
  if (open === undefined) {
    throw new UnknownBackendUrlError(url, known);
  }
  return open(rest);
}
