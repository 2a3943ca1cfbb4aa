import type { ProgressUpdate } from '../contract/job-progress';
import type { JobChange } from './job-owner';

/** @internal */
export const UPDATE_PROGRESS: JobChange<ProgressUpdate> = {
  name: 'updateProgress',
  sizeOf: ({ progress }) => progress.length,
  send: (backend, updates, call) => backend.updateProgress({ updates }, call),
};
