export const en = {
  title: 'PHP',
  about: 'These are the highest values that owners of sites can set for PHP, on all servers.',
  limits: 'Limits for sites',
  labels: {
    memory_limit_mb: 'Memory for a script (MiB)',
    upload_mb: 'Size of an upload (MiB)',
    execution_s: 'CPU time for a script (seconds)',
    input_vars: 'Fields of a form',
  },
  bounds: (min: number, max: number) => `From ${min} to ${max}.`,
  allowErrors: 'Sites can show errors of PHP to visitors',
  allowErrorsHint: 'Errors can tell visitors paths and names.',
  save: 'Save limits',
  saved: 'The limits were saved. They apply to the next change of a site.',
};
