/** Why a task cannot do what it was told, as a sentence for the app's owner. */
export class TaskFailure extends Error {
  override name = 'TaskFailure';
  /** Whether the same may succeed later. */
  readonly retry: boolean;

  constructor(sentence: string, { retry = false }: { retry?: boolean } = {}) {
    super(sentence);
    this.retry = retry;
  }
}
