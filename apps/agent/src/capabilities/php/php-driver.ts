import { conflict } from '../../node/host-error.ts';
import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import type { PhpState } from './host.ts';
import { poolConfig } from './pool-config.ts';

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
        ? towardsActive(php, poolConfig(spec))
        : uidIsForeign
          ? []
          : away(php, spec.desired_state);
    return kinds.map((kind) => ({ kind, summary: summaries[kind] }));
  },

  async apply({ kind }, spec, host) {
    const owner = ownerOf(spec);
    switch (kind) {
      case 'write-config':
        return host.php.writeConfig(owner, poolConfig(spec));
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

function towardsActive(php: PhpState, text: string): PhpChange['kind'][] {
  if (php.config?.foreign === true)
    throw conflict('The PHP configuration file exists and Innkeeper did not create it.');
  const isStale = php.config?.text !== text || !php.config.accessRight;
  const kinds: PhpChange['kind'][] = isStale ? ['write-config'] : [];
  if (!php.enabled) kinds.push('enable');
  if (!php.listening) {
    if (php.up) kinds.push('close');
    kinds.push('listen');
  } else if (php.current !== undefined && (isStale || !php.current)) kinds.push('retire');
  return kinds;
}

function away(php: PhpState, state: 'suspended' | 'absent'): PhpChange['kind'][] {
  const kinds: PhpChange['kind'][] = [];
  if (php.enabled) kinds.push('disable');
  if (php.present) kinds.push('stop');
  if (state === 'absent' && php.config !== undefined && !php.config.foreign) kinds.push('remove-config');
  return kinds;
}
