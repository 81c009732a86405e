/** Names and paths of the two units of an app, and of its start configuration. */
const CONFIG_FOLDER = '/etc/innkeeper/apps';
const UNIT_FOLDER = '/etc/systemd/system';
const UNIT_FILES = '/usr/lib/innkeeper/units';
const WANTS = { socket: 'sockets.target.wants', service: 'multi-user.target.wants' } as const;
export const KINDS = ['socket', 'service'] as const;

type Kind = (typeof KINDS)[number];

/** The uid and the app in the name of a program's unit. */
export function readProgramUnit(name: string): { uid: number; appId: number } | undefined {
  const [, uid, appId] = /^innkeeper-app-(\d+)@(\d+)\.service$/.exec(name) ?? [];
  return uid === undefined ? undefined : { uid: Number(uid), appId: Number(appId) };
}

export function units(uid: number, appId: number): [socket: string, service: string] {
  return [unitName(uid, appId, 'socket'), unitName(uid, appId, 'service')];
}

function unitName(uid: number, appId: number, kind: Kind): string {
  if (!Number.isSafeInteger(appId) || appId < 1) throw new RangeError(`Not the id of an app: ${appId}`);
  return `innkeeper-app-${uid}@${appId}.${kind}`;
}

export function unitFile(kind: Kind): string {
  return `${UNIT_FILES}/app.${kind}`;
}

export function templatePath(uid: number, kind: Kind): string {
  return `${UNIT_FOLDER}/innkeeper-app-${uid}@.${kind}`;
}

export function wantsFolder(kind: Kind): string {
  return `${UNIT_FOLDER}/${WANTS[kind]}`;
}

export function wantsPath(uid: number, appId: number, kind: Kind): string {
  return `${wantsFolder(kind)}/${unitName(uid, appId, kind)}`;
}

export function configFolder(uid: number): string {
  return `${CONFIG_FOLDER}/${uid}`;
}

export function configPath(uid: number, appId: number): string {
  return `${configFolder(uid)}/${appId}`;
}
