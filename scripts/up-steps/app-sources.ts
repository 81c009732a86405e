import {
  type HostingServer,
  type Installation,
  type StepLog,
  startLastingRegistry,
} from '@innkeeper/testkit/machine';

const SETTINGS = '/etc/innkeeper/agent.conf';
/** Debian's package of WordPress, which the boxes have. */
const WORDPRESS = '/usr/share/wordpress';

/** Where the hosting servers get what apps are made of. */
export interface AppSources {
  npm_registry: string;
  /** What cannot be installed, and why. */
  missing?: string;
}

/**
 * Boxes have no route out. So Node.js and npm packages come through this machine, and WordPress from Debian's package: all app
 * templates work. Changes the settings of a server, and restarts its agent, only if they differ.
 */
export async function ensureAppSources(
  { state, boxes }: Installation,
  servers: readonly HostingServer[],
  log: StepLog,
): Promise<AppSources> {
  const registry = await startLastingRegistry(state, boxes.network.hostAddress);
  const wanted = {
    INNKEEPER_NPM_REGISTRY: registry.url,
    INNKEEPER_WORDPRESS_SOURCE: WORDPRESS,
  };
  for (const { name, box } of servers) {
    const text = await box.readFile(SETTINGS);
    const changed = withSettings(text, wanted);
    if (changed === text) continue;
    log.write(`${name}: ${Object.keys(wanted).join(', ')}\n`);
    await box.writeFile(SETTINGS, changed);
    await box.require(['systemctl', 'restart', 'innkeeper-agent']);
  }
  return {
    npm_registry: registry.url,
    ...(registry.missing === undefined ? {} : { missing: `Node.js apps: ${registry.missing}` }),
  };
}

/** The text of agent.conf with these settings, each once. An operator's other value stays. */
export function withSettings(text: string, wanted: Readonly<Record<string, string>>): string {
  const missing = Object.entries(wanted).filter(([name]) => !new RegExp(`^${name}=`, 'm').test(text));
  if (missing.length === 0) return text;
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return `${text}${end}${missing.map(([name, value]) => `${name}=${value}\n`).join('')}`;
}
