import { Home } from './home.ts';
import { createFileServer } from './server.ts';
import { stdioStream } from './stdio-stream.ts';

/**
 * The program of the file manager. The agent starts it as an account, in the account's slice and home, with a channel to an instance of the
 * API as standard input and output. It ends with the channel.
 */
const END_MS = 3_000;

process.umask(0o022);
process.title = 'innkeeper-files';
const channel = stdioStream();
// What is under way ends by itself, and removes what it has begun.
channel.once('close', () => setTimeout(() => process.exit(0), END_MS).unref());
channel.on('error', () => {});
process.once('SIGTERM', () => channel.destroy());
createFileServer(new Home(process.cwd())).emit('connection', channel);
