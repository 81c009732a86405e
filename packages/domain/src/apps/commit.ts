/** The commit that a Git deploy fetched. Untrusted: author and subject are what somebody wrote into the repository. */
export interface Commit {
  /** Hexadecimal: SHA-1 or SHA-256. */
  hash: string;
  author: string;
  /** First line of the message. */
  subject: string;
}

export const COMMIT_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
export const COMMIT_AUTHOR_MAX_CHARACTERS = 100;
export const COMMIT_SUBJECT_MAX_CHARACTERS = 200;

/**
 * Returns a commit with one printable line of limited length for author and subject: without control characters and
 * without characters that reverse the direction of text. Undefined for a hash that is none.
 */
export function readCommit({ hash, author, subject }: Commit): Commit | undefined {
  if (!COMMIT_HASH.test(hash)) return undefined;
  return {
    hash,
    author: oneLine(author, COMMIT_AUTHOR_MAX_CHARACTERS),
    subject: oneLine(subject, COMMIT_SUBJECT_MAX_CHARACTERS),
  };
}

function oneLine(text: string, maxCharacters: number): string {
  const printable = text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '').trim();
  const characters = [...printable];
  return characters.length <= maxCharacters
    ? printable
    : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}
