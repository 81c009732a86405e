/** Folder with the programs of a major version of Node.js. */
export function nodeFolder(version: string): `/opt/innkeeper/node/${string}/bin` {
  return `/opt/innkeeper/node/${version}/bin`;
}
