import type { AccountSpec } from '@innkeeper/protocol';
import { conflict } from '../../node/host-error.ts';
import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import type { PhpFile, PhpState, PhpTexts } from './host.ts';
import { poolConfig } from './pool-config.ts';
import { NO_SETTINGS, siteSettingsIni } from './site-settings-ini.ts';

interface PhpObserved {
  readonly php: PhpState;
  readonly uidIsForeign: boolean;
}

interface PhpChange extends Change {
  readonly kind:
    | 'write-config'
    | 'remove-config'
    | 'enable'
    | 'disable'
    | 'close'
    | 'listen'
    | 'retire'
    | 'stop';
}

const summaries: Readonly<Record<PhpChange['kind'], string>> = {
  'write-config': 'write the configuration of PHP',
  'remove-config': 'remove the configuration of PHP',
  enable: 'start the PHP socket at boot',
  disable: 'no longer start the PHP socket at boot',
  close: 'close the PHP socket',
  listen: 'open the PHP socket',
  retire: 'let PHP start anew with its next request',
  stop: 'stop PHP and its socket',
};

/** PHP-FPM of the account: a socket that starts it on the first request. */
export const phpDriver: Driver<PhpObserved, PhpChange> = {
  name: 'php',

  async observe(spec, host) {
    const [php, { uidIsForeign }] = await Promise.all([
      host.php.observe(ownerOf(spec)),
      observeClaim(spec, host),
    ]);
    return { php, uidIsForeign };
  },

  plan(spec, { php, uidIsForeign }) {
    const kinds =
      spec.desired_state === 'active'
        ? towardsActive(php, textsOf(spec))
        : uidIsForeign
          ? []
          : away(php, spec.desired_state);
    return kinds.map((kind) => ({ kind, summary: summaries[kind] }));
  },

  async apply({ kind }, spec, host) {
    const owner = ownerOf(spec);
    switch (kind) {
      case 'write-config':
        return host.php.writeConfig(owner, textsOf(spec));
      case 'remove-config':
        return host.php.removeConfig(owner);
      case 'enable':
        return host.php.enable(owner);
      case 'disable':
        return host.php.disable(owner);
      case 'close':
        return host.php.close(owner);
      case 'listen':
        return host.php.listen(owner);
      case 'retire':
        return host.php.retire(owner);
      case 'stop':
        return host.php.stop(owner);
    }
  },
};

function textsOf(spec: AccountSpec): PhpTexts {
  return { pool: poolConfig(spec), sites: siteSettingsIni(spec) };
}

function towardsActive(php: PhpState, { pool, sites }: PhpTexts): PhpChange['kind'][] {
  if (php.config?.foreign === true || php.sites?.foreign === true)
    throw conflict('The PHP configuration file exists and Innkeeper did not create it.');
  const hasSites = sites !== null || php.sites !== undefined;
  const isStale = !isRight(php.config, pool) || (hasSites && !isRight(php.sites, sites ?? NO_SETTINGS));
  const kinds: PhpChange['kind'][] = isStale ? ['write-config'] : [];
  if (!php.enabled) kinds.push('enable');
  if (!php.listening) {
    if (php.up) kinds.push('close');
    kinds.push('listen');
  } else if (php.current !== undefined && (isStale || !php.current)) kinds.push('retire');
  return kinds;
}

function isRight(file: PhpFile | undefined, text: string): boolean {
  return file?.text === text && file.accessRight;
}

function away(php: PhpState, state: 'suspended' | 'absent'): PhpChange['kind'][] {
  const kinds: PhpChange['kind'][] = [];
  if (php.enabled) kinds.push('disable');
  if (php.present) kinds.push('stop');
  const isOurs = (file: PhpFile | undefined) => file !== undefined && !file.foreign;
  if (state === 'absent' && (isOurs(php.config) || isOurs(php.sites))) kinds.push('remove-config');
  return kinds;
}
