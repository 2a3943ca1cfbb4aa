/** Where the server of this run is. */
export function serverUrl(): string {
  const url = process.env.LANE_TEST_REDIS_URL;
  if (url === undefined) {
    throw new Error('There is no server: start these specs with npm run test:interop.');
  }
  return url;
}
