/** Why a task failed, as a sentence for the app's owner. */
export class TaskFailure extends Error {
  override name = 'TaskFailure';
  /** Whether a retry may succeed. */
  readonly retry: boolean;

  constructor(sentence: string, { retry = false }: { retry?: boolean } = {}) {
    super(sentence);
    this.retry = retry;
  }
}
