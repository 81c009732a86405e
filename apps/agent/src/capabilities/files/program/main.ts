import { Home } from './home.ts';
import { createFileServer } from './server.ts';
import { stdioStream } from './stdio-stream.ts';

/**
 * The program of the file manager. The agent starts it as an account, in the account's slice and home, with a channel to an instance of the
 * API as standard input and output. It ends with the channel.
 */
process.umask(0o022);
process.title = 'innkeeper-files';
const channel = stdioStream();
channel.once('close', () => process.exit(0));
channel.on('error', () => process.exit(1));
createFileServer(new Home(process.cwd())).emit('connection', channel);
