import { startNpmRegistry } from './npm-registry.ts';

/** The registry as a process: `node npm-registry-program.ts ADDRESS PORT`. It ends with SIGTERM. */
const [address, port] = process.argv.slice(2);
if (address === undefined || !/^\d+$/.test(port ?? '')) throw new Error('usage: ADDRESS PORT');
const { url } = await startNpmRegistry(address, { port: Number(port) });
console.log(`npm registry: ${url}`);
