export { ChannelAgent } from './channel-agent.ts';
export { FilesClient, type NewJob } from './files-client.ts';
export { FilesError, type FilesErrorCode } from './files-error.ts';
