import type { LaneBackend } from '../contract/queue-backend';
import { UnknownBackendUrlError } from '../model/errors/unknown-backend-url.error';

/** The schemes, and how a URL, or what follows its scheme, becomes a backend. */
const BACKENDS: Readonly<Record<string, (rest: string, url: string) => Promise<LaneBackend>>> = {
  memory: async (name) => {
    const { sharedMemory } = await load(
      () => import('./memory/index.js'),
      // eslint-disable-next-line @typescript-eslint/no-require-imports, no-restricted-syntax -- see `load`
      () => require('./memory/index.js') as never,
    );
    return sharedMemory(name);
  },
  redis: onRedis,
  rediss: onRedis,
};

async function onRedis(_: string, url: string): Promise<LaneBackend> {
  const { redis } = await load(
    () => import('./redis/index.js'),
    // eslint-disable-next-line @typescript-eslint/no-require-imports, no-restricted-syntax -- see `load`
    () => require('./redis/index.js') as never,
  );
  return redis({ url });
}

/**
 * Loads a module by import, or by require where import is refused to CommonJS code: Jest does so unless it was
 * started with `--experimental-vm-modules`.
 */
async function load<Loaded>(byImport: () => Promise<Loaded>, byRequire: () => Loaded): Promise<Loaded> {
  try {
    return await byImport();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG') {
      throw error;
    }
    return byRequire();
  }
}

const URL_FORM = /^([a-z][a-z0-9+.-]*):(?:\/\/)?(.*)$/is;

/**
 * Makes the backend that a URL stands for, and loads its code when it is first asked for.
 *
 * `memory:` and `memory:name` are shared in the process: all users of one name meet in one store, which is dropped
 * when the last of them closes. `redis:` and `rediss:` are servers, the latter by TLS.
 *
 * @throws UnknownBackendUrlError when there is no backend for the URL, InvalidBackendUrlError when a part of it cannot
 * be used, MissingDriverError when the driver of the backend is not installed
 *
 * @internal
 */
export async function backendFromUrl(url: string): Promise<LaneBackend> {
  const [, scheme = '', rest = ''] = URL_FORM.exec(url) ?? [];
  const known = Object.keys(BACKENDS);
  const open = known.includes(scheme.toLowerCase()) ? BACKENDS[scheme.toLowerCase()] : undefined;
  if (open === undefined) {
    throw new UnknownBackendUrlError(url, known);
  }
  return open(rest, url);
}
