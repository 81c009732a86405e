/** What the operator allows owners of sites to set for PHP. One row, with the id 1, or none. */
export interface PhpLimitsTable {
  id: number;
  memory_limit_mb: number;
  upload_mb: number;
  execution_s: number;
  input_vars: number;
  display_errors: number;
  updated_at: Date;
}
