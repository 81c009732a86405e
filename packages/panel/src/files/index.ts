export { ChannelAgent, type OpenFilesChannel } from './channel-agent.ts';
export { FilesClient, type ListOptions, type NewJob } from './files-client.ts';
export { FilesError, type FilesErrorCode } from './files-error.ts';
