// Managed by Innkeeper: replaced by every installation of the agent, removed with it.
//
// Node.js (18 and later) loads this before the program of an app, in each of its processes. A server that would
// listen on the port PORT, or on the path SOCKET, listens on the socket of systemd instead, to which only nginx can
// connect: nothing listens on TCP. PORT is below 1024, so a program without this file cannot listen on it either.
'use strict';

const { closeSync, fstatSync, writeSync } = require('node:fs');
const cluster = require('node:cluster');
const net = require('node:net');
const { isMainThread } = require('node:worker_threads');

const SOCKET_FD = 100;
const READY_FD = 101;
const LONGEST_END_MS = 5_000;
const FIRST_REQUEST_MS = 1_000;

const { PORT, SOCKET } = process.env;
let canSay = isPipe(READY_FD);

if (PORT !== undefined && hasSocket()) {
  const listen = net.Server.prototype.listen;
  let first;
  net.Server.prototype.listen = function listenForVisitors(...args) {
    const place = placeOf(args);
    if (place === undefined) {
      const port = portOf(args);
      if (port > 0) this.once('listening', () => say(`elsewhere ${port}`));
      return listen.apply(this, args);
    }
    const callback = args.at(-1);
    const backlog =
      typeof args[0] === 'object' ? args[0].backlog : args.slice(1).find((it) => typeof it === 'number');
    asIfOnTcp(this, place);
    if (first !== undefined) return listenBeside(this, callback);
    first = this;
    this.once('close', () => {
      first = undefined;
    });
    this.once('listening', isReady);
    endWithItsRequests(this);
    return listen.call(
      this,
      { fd: SOCKET_FD, backlog: backlog ?? 511, exclusive: false },
      ...(typeof callback === 'function' ? [callback] : []),
    );
  };
}

function isPipe(fd) {
  try {
    return fstatSync(fd).isFIFO();
  } catch {
    return false;
  }
}

function hasSocket() {
  try {
    return fstatSync(SOCKET_FD).isSocket();
  } catch {
    return false;
  }
}

/** The TCP port in the arguments of `listen`. 0 or NaN if they have none. */
function portOf([first]) {
  const port = typeof first === 'object' && first !== null ? first.port : first;
  return typeof port === 'number' || typeof port === 'string' ? Number(port) : 0;
}

/** The address that the server reports, if it listens for visitors. Undefined for any other server. */
function placeOf([first, second]) {
  const { port, host, path, fd, handle } =
    typeof first === 'object' && first !== null ? first : { port: first, host: second, path: first };
  if (fd !== undefined || handle !== undefined || first instanceof net.Server) return undefined;
  if (SOCKET !== undefined && path === SOCKET) return { path: SOCKET };
  const isPort = (typeof port === 'number' || typeof port === 'string') && `${port}`.trim() === PORT;
  if (!isPort) return undefined;
  return { port: Number(PORT), host: typeof host === 'string' ? host : '::' };
}

/** Makes the server and its connections report the addresses that they would have behind a proxy on this machine. */
function asIfOnTcp(server, { port, host, path }) {
  if (port === undefined) server.address = () => (server.listening ? path : null);
  else
    server.address = () =>
      server.listening ? { address: host, family: host.includes(':') ? 'IPv6' : 'IPv4', port } : null;
  server.prependListener('connection', (connection) => {
    for (const [name, value] of [
      ['remoteAddress', '127.0.0.1'],
      ['remoteFamily', 'IPv4'],
    ])
      Object.defineProperty(connection, name, { value, configurable: true, enumerable: true });
  });
}

/**
 * There is one socket. A second server for the port, such as a framework's for the other address of `localhost`,
 * reports that it listens, but only the first gets visitors.
 */
function listenBeside(server, callback) {
  if (typeof callback === 'function') server.once('listening', callback);
  const setListening = (value) => Object.defineProperty(server, 'listening', { value, configurable: true });
  setListening(true);
  server.close = (closed) => {
    setListening(false);
    if (typeof closed === 'function') server.once('close', closed);
    setImmediate(() => server.emit('close'));
    return server;
  };
  setImmediate(() => server.emit('listening'));
  return server;
}

function isReady() {
  say('listens');
  if (canSay) closeSync(READY_FD);
  canSay = false;
}

/** Sends a message to `run-app`, which waits for the first process of the program that is ready. */
function say(line) {
  if (!canSay) return;
  try {
    writeSync(READY_FD, `${line}\n`);
  } catch {
    // Closed: another process has already reported that it is ready.
  }
}

/**
 * On SIGTERM, a program without its own handler finishes its requests and accepts no new connections. It does not wait
 * for connections without a request in progress, such as WebSockets. A connection that nothing was received on is a new
 * one: its first request is on its way, and gets its answer.
 */
function endWithItsRequests(server) {
  if (cluster.isWorker || !isMainThread) return;
  const connections = new Map();
  server.prependListener('connection', (connection) => {
    connections.set(connection, 0);
    connection.once('close', () => connections.delete(connection));
  });
  server.prependListener('request', ({ socket }, response) => {
    connections.set(socket, (connections.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (connections.get(socket) ?? 1) - 1;
      if (connections.has(socket)) connections.set(socket, left);
      if (isEnding && left === 0) socket.destroySoon();
    });
  });
  const endIdle = (isIdle) => {
    for (const [connection, requests] of connections)
      if (requests === 0 && isIdle(connection)) connection.destroySoon();
  };
  let isEnding = false;
  const end = () => {
    if (process.listenerCount('SIGTERM') > 1) return;
    isEnding = true;
    server.close(() => process.exit(143));
    endIdle((connection) => connection.bytesRead > 0);
    setTimeout(endIdle, FIRST_REQUEST_MS, () => true).unref();
    setTimeout(() => process.exit(143), LONGEST_END_MS).unref();
  };
  process.on('SIGTERM', end);
  server.once('close', () => process.removeListener('SIGTERM', end));
}
