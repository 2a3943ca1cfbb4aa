/**
 * What every worker process does with a job, which says itself how it is to go.
 *
 * @param {{ data: { fails: number, millis: number }, attemptsMade: number, updateProgress(value: number): Promise<void> }} job
 */
export async function handle(job) {
  const { data, attemptsMade } = job;
  if (data.millis > 0) await new Promise((resolve) => setTimeout(resolve, data.millis));
  if (data.millis > 10) await job.updateProgress(50);
  if (attemptsMade < data.fails) throw new Error('as asked for');
  return data.millis;
}
