import { nearestName } from '../nearest-name';
import { LaneError } from './lane-error';
import { showValue } from './show-value';

/**
 * Thrown when a backend is given as a text that is not the URL of one. The text may hold a password, so of it the
 * message shows the scheme only.
 *
 * @public
 */
export class UnknownBackendUrlError extends LaneError {
  readonly code = 'LANE_BACKEND_URL';

  /**
   * @param url - what was given
   * @param known - the schemes that there are
   */
  constructor(
    url: unknown,
    readonly known: readonly string[],
  ) {
    const scheme = schemeOf(url);
    const near = scheme === undefined ? undefined : nearestName(scheme, known);
    super(
      `${describe(url, scheme)} ` +
        (near === undefined ? '' : `Did you mean "${near}:"? `) +
        `A backend URL begins with one of: ${known.map((name) => `${name}:`).join(', ')}. ` +
        `Correct the URL, or give a backend as a value, such as memory().`,
    );
  }
}

function describe(url: unknown, scheme: string | undefined): string {
  if (url === '') {
    return 'The backend URL is empty.';
  }
  if (typeof url !== 'string') {
    return `The backend URL is not a text but of type ${typeof url}.`;
  }
  return scheme === undefined
    ? 'The backend URL does not begin with a scheme.'
    : `No backend has URLs that begin with ${showValue(`${scheme}:`)}.`;
}

/** In `user:password@host` what stands before the first colon is no scheme. */
function schemeOf(url: unknown): string | undefined {
  if (typeof url !== 'string') {
    return undefined;
  }
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? [];
  return rest.startsWith('//') || !rest.includes('@') ? scheme : undefined;
}
