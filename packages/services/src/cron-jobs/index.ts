export { createCronJob, type NewCronJob } from './create-cron-job.ts';
export type { CronJobListItem, CronJobView } from './cron-job-view.ts';
export { getCronJob } from './get-cron-job.ts';
export { listCronJobs } from './list-cron-jobs.ts';
export { removeCronJob } from './remove-cron-job.ts';
export { type CronJobUpdate, updateCronJob } from './update-cron-job.ts';
