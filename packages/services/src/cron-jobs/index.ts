export { createCronJob } from './create-cron-job.ts';
export { getCronJob } from './get-cron-job.ts';
export { listCronJobs } from './list-cron-jobs.ts';
export { removeCronJob } from './remove-cron-job.ts';
export { updateCronJob } from './update-cron-job.ts';
